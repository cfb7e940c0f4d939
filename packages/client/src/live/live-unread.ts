import type { Events } from '../events/events.js';
import type { UnreadNotificationsResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { LiveStore, type Snapshot } from './live-store.js';

const COUNT = 'countUnreadNotifications GET /api/notifications/unread-count';

/** Returns the unread counts after an event, in total and by type. Events contain the complete counts, not a difference. */
export function applyToUnread(
  counts: UnreadNotificationsResponse,
  event: UserEvent,
): UnreadNotificationsResponse {
  return event.type.startsWith('notification.') && 'by_type' in event
    ? { count: event.unread_count, by_type: event.by_type }
    : counts;
}

/** The user's unread notification counts, kept up to date by events. */
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
