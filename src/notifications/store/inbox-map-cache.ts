import { LRUCache } from 'lru-cache';
import type { InboxMap } from '../rules/inbox-map.rules';

/** About 250 inboxes of 100,000 notifications, or 15,000 of at most a thousand. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Caches the maps of the inboxes that were read last, by user. A map is valid only while the inbox has its version,
 * which every read verifies. Only committed state may be cached, because the versions of a rolled-back transaction are
 * assigned again.
 */
export class InboxMapCache {
  readonly #maps: LRUCache<number, InboxMap>;

  constructor(maxBytes = MAX_BYTES) {
    this.#maps = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  find(userId: number): InboxMap | undefined {
    return this.#maps.get(userId);
  }

  keep(userId: number, map: InboxMap): void {
    this.#maps.set(userId, map);
  }
}
