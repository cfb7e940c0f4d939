import type { Events } from '../events/events.js';
import { beginning } from '../events/own-stream.js';
import type { ListNotificationsResponse, NotificationResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { LiveStore, type Snapshot } from './live-store.js';

/** One's notifications, as far as they were fetched. */
export interface NotificationsState {
  /** The newest first. */
  notifications: readonly NotificationResponse[];
  /** Whether there are older ones to fetch with `loadMore`. */
  hasMore: boolean;
}

export interface LiveNotificationsOptions {
  /** Those of one type; of all types when left out. */
  type?: string;
  /** Those that are unread. One that is read meanwhile stays at its place, marked, until the next `reload`. */
  unreadOnly?: boolean;
  /** How many a page holds, at most 100. */
  perPage?: number;
}

/** Pages that go on moving are taken as they come; the events make up for it. */
const MOST_RESTARTS = 3;

const LIST = 'listNotifications GET /api/notifications';

/** The user's notifications, kept up to date. */
export class LiveNotifications extends LiveStore<NotificationsState> {
  readonly #transport: Transport;
  readonly #options: LiveNotificationsOptions;
  readonly #perPage: number;
  /** As many are fetched again as there were. */
  #wanted: number;

  constructor(transport: Transport, events: Events, options: LiveNotificationsOptions = {}) {
    super(events);
    this.#transport = transport;
    this.#options = options;
    this.#perPage = options.perPage ?? 20;
    this.#wanted = this.#perPage;
  }

  /** Fetches one more page of older notifications. */
  async loadMore(): Promise<void> {
    const state = this.getSnapshot();
    if (state?.hasMore !== true) return;
    // Pages are counted from the newest: the next one is where those end that are here and still belong to the list.
    const known = state.notifications.filter((one) => this.#belongs(one)).length;
    const page = Math.floor(known / this.#perPage) + 1;
    const { list, last_page } = await this.#page(page);
    const notifications = merged((this.getSnapshot() ?? state).notifications, list);
    this.#wanted = notifications.length;
    // Something has come or gone of which no event has told yet.
    if (!this.#isInPlace(notifications, list, page)) return this.reload();
    this.set({ notifications, hasMore: page < last_page });
  }

  protected async fetch(signal: AbortSignal): Promise<Snapshot<NotificationsState>> {
    // First the cursor: what is fetched after it is at least as new, and events may be applied again.
    const cursor = await beginning(this.#transport, { signal });
    let notifications: readonly NotificationResponse[] = [];
    let hasMore = true;
    let restarts = 0;
    for (let page = 1; hasMore && notifications.length < this.#wanted; page += 1) {
      const { list, last_page } = await this.#page(page, signal);
      notifications = merged(notifications, list);
      hasMore = page < last_page;
      if (this.#isInPlace(notifications, list, page) || restarts === MOST_RESTARTS) continue;
      // The pages have moved meanwhile: from the beginning.
      restarts += 1;
      [notifications, hasMore, page] = [[], true, 0];
    }
    return { data: { notifications, hasMore }, cursor };
  }

  /** Whether a page stands where it must among all, so that nothing is left out before it. */
  #isInPlace(
    all: readonly NotificationResponse[],
    [first]: readonly NotificationResponse[],
    page: number,
  ): boolean {
    if (first === undefined) return true;
    const position = all.filter((one) => this.#belongs(one)).findIndex(({ id }) => id === first.id);
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
      case 'notification.unread': {
        const { notification } = event;
        const isKnown = notifications.some(({ id }) => id === notification.id);
        // An older one than all that are here comes with its page.
        const isReached = !hasMore || notification.id > (notifications.at(-1)?.id ?? 0);
        return isKnown || (isReached && this.#belongs(notification))
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
        return notifications.some(({ id }) => id === event.notification_id)
          ? notifications.filter(({ id }) => id !== event.notification_id)
          : notifications;
      default:
        return notifications;
    }
  }

  #belongs({ type, is_read }: NotificationResponse): boolean {
    const { type: wanted, unreadOnly } = this.#options;
    return (wanted === undefined || type === wanted) && (unreadOnly !== true || is_read === 0);
  }

  #page(page: number, signal = this.signal): Promise<ListNotificationsResponse> {
    const { type, unreadOnly } = this.#options;
    const query = { type, is_read: unreadOnly === true ? 0 : undefined, page, per_page: this.#perPage };
    return this.#transport.send<ListNotificationsResponse>(LIST, { query, signal }).then(({ data }) => data);
  }
}

/** Both, each once as it came last, the newest first. */
function merged(
  known: readonly NotificationResponse[],
  more: readonly NotificationResponse[],
): readonly NotificationResponse[] {
  const byId = new Map([...known, ...more].map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => b.id - a.id);
}

const marked = (
  notifications: readonly NotificationResponse[],
  isMeant: (one: NotificationResponse) => boolean,
): readonly NotificationResponse[] =>
  notifications.some((one) => one.is_read === 0 && isMeant(one))
    ? notifications.map((one) => (isMeant(one) ? { ...one, is_read: 1 } : one))
    : notifications;
