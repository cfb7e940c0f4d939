import type { Events } from '../events/events.js';
import type { ListConversationsResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { applyToConversations, type Conversation, inOrder, isUnknown } from './conversation-list.js';
import { LiveStore, type Snapshot } from './live-store.js';

/** A list of conversations, as far as it was fetched. */
export interface ConversationsState {
  conversations: readonly Conversation[];
  /** Whether there are older ones to fetch with `loadMore`. */
  hasMore: boolean;
}

export interface LiveConversationsOptions {
  /** How many a page holds, at most 100. */
  perPage?: number;
}

const LIST = 'listConversations GET /api/messages/conversations';

/** The user's list of conversations, in its order, kept up to date. */
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

  /** All pages; the cursor is the first one's, and events make up for what moved meanwhile. */
  protected async fetch(signal: AbortSignal): Promise<Snapshot<ConversationsState>> {
    const known = new Map<number, Conversation>();
    let cursor = 0;
    let hasMore = true;
    for (let page = 1; page <= this.#pages && hasMore; page += 1) {
      const query = { page, per_page: this.#perPage };
      const answer = await this.#transport.send<ListConversationsResponse>(LIST, { query, signal });
      if (page === 1) cursor = answer.cursor ?? 0;
      hasMore = answer.data.pagination.has_more;
      for (const conversation of answer.data.items) known.set(conversation.id, conversation);
    }
    return { data: { conversations: inOrder([...known.values()]), hasMore }, cursor };
  }

  protected apply(state: ConversationsState, event: UserEvent): ConversationsState {
    if (state.hasMore && isUnknown(state.conversations, event)) void this.reload();
    const conversations = applyToConversations(state.conversations, event);
    return conversations === state.conversations ? state : { ...state, conversations };
  }
}
