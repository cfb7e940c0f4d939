import { CallboardError } from '../errors.js';
import type { ListMessagesResponse } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import type { Message } from './message-history.js';

/** A contiguous range of a conversation's messages. */
export interface MessageWindow {
  /** Newest first. */
  messages: readonly Message[];
  /** Whether `loadOlder` can fetch older messages. */
  hasOlder: boolean;
  /** Whether `loadNewer` can fetch newer messages. False unless the window was moved away from the newest messages. */
  hasNewer: boolean;
}

/** Maximum number of messages in a window, to limit memory. Messages dropped at one end can be fetched again. */
export const MAX_KEPT = 500;
const MAX_PER_PAGE = 100;
const NOT_FOUND = 404;

const LIST = 'listMessages GET /api/messages/conversations/{id}/messages';

interface PageAnchor {
  before_id?: number;
  after_id?: number;
}

interface Page {
  items: Message[];
  hasMore: boolean;
}

/** Fetches pages of a conversation's history. Does not mark messages as read. */
export class MessagePages {
  constructor(
    private readonly transport: Transport,
    private readonly conversationId: number,
    readonly perPage: number,
  ) {}

  /**
   * Fetches the page before or after a message, or the newest page.
   * @throws {CallboardError} 404 if the message does not exist
   */
  async page(anchor: PageAnchor, signal: AbortSignal, perPage = this.perPage): Promise<Page> {
    const { items, pagination } = await this.#list({ ...anchor, per_page: perPage }, signal);
    return { items, hasMore: pagination.has_more };
  }

  /** Fetches the newest messages: at least `count`, rounded up to whole pages, or all if there are fewer. */
  async newest(signal: AbortSignal, count = this.perPage): Promise<MessageWindow> {
    const { items, hasMore } = await this.#backwards(undefined, count, signal);
    return { messages: items, hasOlder: hasMore, hasNewer: false };
  }

  /** Fetches the first messages that the user sees: the first one, and a page of newer ones. */
  async oldest(signal: AbortSignal): Promise<MessageWindow> {
    const { total } = (await this.#list({ per_page: 1 }, signal)).pagination;
    const { items, pagination } = await this.#list({ per_page: 1, page: Math.max(total, 1) }, signal);
    const first = items[0];
    if (first === undefined) return this.newest(signal);
    const newer = await this.page({ after_id: first.id }, signal);
    // A message that arrived between the first two requests leaves an older one.
    return { messages: [...newer.items, first], hasOlder: pagination.has_more, hasNewer: newer.hasMore };
  }

  /** Fetches a message and the pages around it. @throws {CallboardError} 404 if the message does not exist (any more) */
  async around(id: number, signal: AbortSignal): Promise<MessageWindow> {
    const older = await this.page({ before_id: id }, signal);
    const neighbour = older.items[0];
    if (neighbour !== undefined) {
      const newer = await this.page({ after_id: neighbour.id }, signal);
      return {
        messages: [...newer.items, ...older.items],
        hasOlder: older.hasMore,
        hasNewer: newer.hasMore,
      };
    }
    // It is the first message of the conversation.
    const newer = await this.page({ after_id: id }, signal);
    const next = newer.items.at(-1);
    if (next === undefined) return this.newest(signal);
    const { items } = await this.page({ before_id: next.id }, signal);
    return { messages: [...newer.items, ...items], hasOlder: false, hasNewer: newer.hasMore };
  }

  /** Fetches the same part of the history again; the newest messages if that part was deleted. */
  async again({ messages, hasNewer }: MessageWindow, signal: AbortSignal): Promise<MessageWindow> {
    const count = Math.max(messages.length, this.perPage);
    const newest = messages[0];
    if (!hasNewer || newest === undefined) return this.newest(signal, count);
    try {
      const { items } = await this.page({ after_id: newest.id }, signal, 1);
      const next = items[0];
      if (next === undefined) return await this.newest(signal, count);
      const back = await this.#backwards(next.id, count, signal);
      return { messages: back.items, hasOlder: back.hasMore, hasNewer: true };
    } catch (error) {
      if (error instanceof CallboardError && error.code === NOT_FOUND) return this.newest(signal);
      throw error;
    }
  }

  /** Fetches pages of the messages before `before`, or of the newest ones, until there are `count` messages. */
  async #backwards(before: number | undefined, count: number, signal: AbortSignal): Promise<Page> {
    const perPage = Math.min(Math.max(count, this.perPage), MAX_PER_PAGE);
    let [items, hasMore]: [Message[], boolean] = [[], true];
    while (hasMore && items.length < Math.min(count, MAX_KEPT)) {
      const page = await this.page({ before_id: items.at(-1)?.id ?? before }, signal, perPage);
      items = [...items, ...page.items];
      hasMore = page.hasMore;
    }
    return { items, hasMore };
  }

  async #list(
    query: PageAnchor & { per_page: number; page?: number },
    signal: AbortSignal,
  ): Promise<ListMessagesResponse> {
    const { data } = await this.transport.send<ListMessagesResponse>(LIST, {
      path: { id: this.conversationId },
      query: { ...query, mark_read: 0 },
      signal,
    });
    return data;
  }
}

/** Appends older messages. Drops the newest ones above `MAX_KEPT`. */
export function withOlder({ messages, hasNewer }: MessageWindow, { items, hasMore }: Page): MessageWindow {
  const all = [...messages, ...items];
  const kept = all.slice(-MAX_KEPT);
  return { messages: kept, hasOlder: hasMore, hasNewer: hasNewer || kept.length < all.length };
}

/** Prepends newer messages. Drops the oldest ones above `MAX_KEPT`. */
export function withNewer({ messages, hasOlder }: MessageWindow, { items, hasMore }: Page): MessageWindow {
  const all = [...items, ...messages];
  const kept = all.slice(0, MAX_KEPT);
  return { messages: kept, hasOlder: hasOlder || kept.length < all.length, hasNewer: hasMore };
}
