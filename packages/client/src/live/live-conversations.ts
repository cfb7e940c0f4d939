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

  /**
   * Fetches all loaded pages. Returns the cursor of the first page: events after it correct what moved between the requests.
   */
  protected async fetch(signal: AbortSignal): Promise<Snapshot<ConversationsState>> {
    const byId = new Map<number, Conversation>();
    let cursor = 0;
    let hasMore = true;
    for (let page = 1; page <= this.#pages && hasMore; page += 1) {
      const query = { page, per_page: this.#perPage };
      const response = await this.#transport.send<ListConversationsResponse>(LIST, { query, signal });
      if (page === 1) cursor = response.cursor ?? 0;
      hasMore = response.data.pagination.has_more;
      for (const conversation of response.data.items) byId.set(conversation.id, conversation);
    }
    return { data: { conversations: sortConversations([...byId.values()]), hasMore }, cursor };
  }

  protected apply(state: ConversationsState, event: UserEvent): ConversationsState {
    if (state.hasMore && isUnknown(state.conversations, event)) void this.reload();
    const conversations = applyToConversations(state.conversations, event);
    return conversations === state.conversations ? state : { ...state, conversations };
  }
}
