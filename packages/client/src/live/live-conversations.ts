import type { Events } from '../events/events.js';
import type { ListConversationsResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import {
  applyToConversations,
  type Conversation,
  sortConversations,
  isUnknown,
} from './conversation-list.js';
import { LiveStore, type Snapshot } from './live-store.js';

/** The fetched part of the list of conversations. */
export interface ConversationsState {
  conversations: readonly Conversation[];
  /** Whether `loadMore` can fetch older conversations. */
  hasMore: boolean;
}

export interface LiveConversationsOptions {
  /** Page size, at most 100. Default: 50. */
  perPage?: number;
}

/** After this many restarts, shifted pages are accepted as they are. A later message of a missing conversation reloads them. */
const MAX_RESTARTS = 3;

const LIST = 'listConversations GET /api/messages/conversations';

/** The user's list of conversations in display order, kept up to date by events. */
export class LiveConversations extends LiveStore<ConversationsState> {
  readonly #transport: Transport;
  readonly #perPage: number;
  #pages = 1;

  constructor(transport: Transport, events: Events, { perPage = 50 }: LiveConversationsOptions = {}) {
    super(events);
    this.#transport = transport;
    this.#perPage = perPage;
  }

  /** Fetches one more page. */
  async loadMore(): Promise<void> {
    if (this.getSnapshot()?.hasMore !== true) return;
    this.#pages += 1;
    await this.reload();
  }

  /** Fetches all loaded pages. Starts over if conversations moved between the requests: one of them may be on no page then. */
  protected async fetch(signal: AbortSignal): Promise<Snapshot<ConversationsState>> {
    const byId = new Map<number, Conversation>();
    let [cursor, total, restarts] = [0, 0, 0];
    let hasMore = true;
    for (let page = 1; page <= this.#pages && hasMore; page += 1) {
      const query = { page, per_page: this.#perPage };
      const response = await this.#transport.send<ListConversationsResponse>(LIST, { query, signal });
      const { items, pagination } = response.data;
      // The cursor of the first page: events after it correct the pages after it.
      if (page === 1) [cursor, total] = [response.cursor ?? 0, pagination.total];
      // An insertion before the page repeats a conversation, a removal changes the total.
      const isShifted = pagination.total !== total || items.some(({ id }) => byId.has(id));
      hasMore = pagination.has_more;
      for (const conversation of items) byId.set(conversation.id, conversation);
      if (!isShifted || restarts === MAX_RESTARTS) continue;
      restarts += 1;
      byId.clear();
      [hasMore, page] = [true, 0];
    }
    return { data: { conversations: sortConversations([...byId.values()]), hasMore }, cursor };
  }

  protected apply(state: ConversationsState, event: UserEvent): ConversationsState {
    // The conversation is on a later page, or moved between the requests of several pages.
    if ((state.hasMore || this.#pages > 1) && isUnknown(state.conversations, event)) void this.reload();
    const conversations = applyToConversations(state.conversations, event);
    return conversations === state.conversations ? state : { ...state, conversations };
  }
}
