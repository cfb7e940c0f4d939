import type { Events } from '../events/events.js';
import { fetchCursor } from '../events/read-stream.js';
import type { ListNotificationsResponse, NotificationResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { LiveStore, type Snapshot } from './live-store.js';

/** The fetched part of the user's notifications. */
export interface NotificationsState {
  /** Newest first. */
  notifications: readonly NotificationResponse[];
  /** Whether `loadMore` can fetch older notifications. */
  hasMore: boolean;
}

export interface LiveNotificationsOptions {
  /** Only notifications of this type. Default: all types. */
  type?: string;
  /** Only unread notifications. One that is read later stays in its position, marked as read, until the next `reload`. */
  unreadOnly?: boolean;
  /** Archived and snoozed notifications instead of those in the inbox. */
  archived?: boolean;
  /** Page size, at most 100. Default: 20. */
  perPage?: number;
}

/** After this many restarts, shifted pages are accepted as they are. Events correct the list. */
const MAX_RESTARTS = 3;

const LIST = 'listNotifications GET /api/notifications';

/** The user's notifications, kept up to date by events. */
export class LiveNotifications extends LiveStore<NotificationsState> {
  readonly #transport: Transport;
  readonly #options: LiveNotificationsOptions;
  readonly #perPage: number;
  /** Number of notifications that a reload fetches: as many as were loaded. */
  #targetCount: number;

  constructor(transport: Transport, events: Events, options: LiveNotificationsOptions = {}) {
    super(events);
    this.#transport = transport;
    this.#options = options;
    this.#perPage = options.perPage ?? 20;
    this.#targetCount = this.#perPage;
  }

  /** Fetches one more page of older notifications. */
  async loadMore(): Promise<void> {
    const state = this.getSnapshot();
    if (state?.hasMore !== true) return;
    // Pages are counted from the newest. The next page starts after the loaded notifications that still match the filter.
    const matchCount = state.notifications.filter((notification) => this.#matches(notification)).length;
    const page = Math.floor(matchCount / this.#perPage) + 1;
    const { list, last_page } = await this.#page(page);
    const notifications = merged((this.getSnapshot() ?? state).notifications, list);
    this.#targetCount = notifications.length;
    // A notification was added or deleted whose event has not arrived yet.
    if (!this.#isInPlace(notifications, list, page)) return this.reload();
    this.set({ notifications, hasMore: page < last_page });
  }

  protected async fetch(signal: AbortSignal): Promise<Snapshot<NotificationsState>> {
    // Fetches the cursor first: data fetched after it is at least as new, and applying an event again is harmless.
    const cursor = await fetchCursor(this.#transport, { signal });
    let notifications: readonly NotificationResponse[] = [];
    let hasMore = true;
    let restarts = 0;
    for (let page = 1; hasMore && notifications.length < this.#targetCount; page += 1) {
      const { list, last_page } = await this.#page(page, signal);
      notifications = merged(notifications, list);
      hasMore = page < last_page;
      if (this.#isInPlace(notifications, list, page) || restarts === MAX_RESTARTS) continue;
      // The pages have shifted between the requests: starts over.
      restarts += 1;
      [notifications, hasMore, page] = [[], true, 0];
    }
    return { data: { notifications, hasMore }, cursor };
  }

  /** Whether a page starts at its expected position in the list, so that no notification is missing before it. */
  #isInPlace(
    all: readonly NotificationResponse[],
    [first]: readonly NotificationResponse[],
    page: number,
  ): boolean {
    if (first === undefined) return true;
    const matching = all.filter((notification) => this.#matches(notification));
    const position = matching.findIndex(({ id }) => id === first.id);
    return position === (page - 1) * this.#perPage;
  }

  protected apply(state: NotificationsState, event: UserEvent): NotificationsState {
    const notifications = this.#applied(state, event);
    return notifications === state.notifications ? state : { ...state, notifications };
  }

  #applied(
    { notifications, hasMore }: NotificationsState,
    event: UserEvent,
  ): readonly NotificationResponse[] {
    switch (event.type) {
      case 'notification.created':
      case 'notification.unread':
      case 'notification.updated': {
        const { notification } = event;
        // Archived, or back in the inbox.
        if (!this.#isListed(notification)) return without(notifications, notification.id);
        const isLoaded = notifications.some(({ id }) => id === notification.id);
        // A notification older than the loaded ones arrives with its page.
        const isReached = !hasMore || notification.id > (notifications.at(-1)?.id ?? 0);
        return isLoaded || (isReached && this.#matches(notification))
          ? merged(notifications, [notification])
          : notifications;
      }
      case 'notification.read':
        return marked(notifications, ({ id }) => id === event.notification_id);
      case 'notification.all_read':
        return marked(
          notifications,
          ({ type }) => event.notification_type === null || event.notification_type === type,
        );
      case 'notification.deleted':
        return without(notifications, event.notification_id);
      default:
        return notifications;
    }
  }

  /** Whether a notification is in the part of the inbox that the list is of: the archive or the rest. */
  #isListed({ archived }: NotificationResponse): boolean {
    return (archived === 1) === (this.#options.archived === true);
  }

  #matches(notification: NotificationResponse): boolean {
    const { type, is_read } = notification;
    const { type: onlyType, unreadOnly } = this.#options;
    if (!this.#isListed(notification)) return false;
    return (onlyType === undefined || type === onlyType) && (unreadOnly !== true || is_read === 0);
  }

  #page(page: number, signal = this.signal): Promise<ListNotificationsResponse> {
    const { type, unreadOnly, archived } = this.#options;
    const query = {
      type,
      is_read: unreadOnly === true ? 0 : undefined,
      archived: archived === true ? 1 : undefined,
      page,
      per_page: this.#perPage,
    };
    return this.#transport.send<ListNotificationsResponse>(LIST, { query, signal }).then(({ data }) => data);
  }
}

/** Merges two lists, newest first. If both contain a notification, the one of `more` is kept. */
function merged(
  current: readonly NotificationResponse[],
  more: readonly NotificationResponse[],
): readonly NotificationResponse[] {
  const byId = new Map([...current, ...more].map((notification) => [notification.id, notification]));
  return [...byId.values()].sort((a, b) => b.id - a.id);
}

const without = (
  notifications: readonly NotificationResponse[],
  removed: number,
): readonly NotificationResponse[] =>
  notifications.some(({ id }) => id === removed)
    ? notifications.filter(({ id }) => id !== removed)
    : notifications;

const marked = (
  notifications: readonly NotificationResponse[],
  matches: (notification: NotificationResponse) => boolean,
): readonly NotificationResponse[] =>
  notifications.some((notification) => notification.is_read === 0 && matches(notification))
    ? notifications.map((notification) =>
        matches(notification) ? { ...notification, is_read: 1 } : notification,
      )
    : notifications;
