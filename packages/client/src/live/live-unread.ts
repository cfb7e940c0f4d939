import type { Events } from '../events/events.js';
import type { UnreadNotificationsResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { LiveStore, type Snapshot } from './live-store.js';

const COUNT = 'countUnreadNotifications GET /api/notifications/unread-count';

/** How many notifications are unread after an event, over all and by type; events tell it as a whole. */
export function applyToUnread(
  counts: UnreadNotificationsResponse,
  event: UserEvent,
): UnreadNotificationsResponse {
  return event.type.startsWith('notification.') && 'by_type' in event
    ? { count: event.unread_count, by_type: event.by_type }
    : counts;
}

/** How many notifications the user has not read, kept up to date. */
export class LiveUnreadNotifications extends LiveStore<UnreadNotificationsResponse> {
  readonly #transport: Transport;

  constructor(transport: Transport, events: Events) {
    super(events);
    this.#transport = transport;
  }

  protected async fetch(signal: AbortSignal): Promise<Snapshot<UnreadNotificationsResponse>> {
    const { data, cursor = 0 } = await this.#transport.send<UnreadNotificationsResponse>(COUNT, { signal });
    return { data, cursor };
  }

  protected apply(counts: UnreadNotificationsResponse, event: UserEvent): UnreadNotificationsResponse {
    return applyToUnread(counts, event);
  }
}
