import { CallboardError } from '../errors.js';
import type { ListMessagesResponse } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import type { Message } from './message-history.js';

/** A run of a conversation's messages without a gap. */
export interface MessageWindow {
  /** The newest first. */
  messages: readonly Message[];
  /** Whether there are older ones to fetch with `loadOlder`. */
  hasOlder: boolean;
  /** Whether there are newer ones to fetch with `loadNewer`: never, unless one has gone far back. */
  hasNewer: boolean;
}

/** So many messages are kept at most; what falls out at one end is fetched again when it is wanted. */
export const MOST_KEPT = 500;
const LARGEST_PAGE = 100;
const NOT_FOUND = 404;

const LIST = 'listMessages GET /api/messages/conversations/{id}/messages';

interface Beside {
  before_id?: number;
  after_id?: number;
}

interface Page {
  items: Message[];
  hasMore: boolean;
}

/** Pages of a conversation's history; nothing is marked read by them. */
export class MessagePages {
  constructor(
    private readonly transport: Transport,
    private readonly conversationId: number,
    readonly perPage: number,
  ) {}

  /** One page beside a message, or the newest one. @throws {CallboardError} 404: the message is not there (any more) */
  async page(beside: Beside, signal: AbortSignal, perPage = this.perPage): Promise<Page> {
    const { data } = await this.transport.send<ListMessagesResponse>(LIST, {
      path: { id: this.conversationId },
      query: { ...beside, per_page: perPage, mark_read: 0 },
      signal,
    });
    return { items: data.items, hasMore: data.pagination.has_more };
  }

  /** The newest messages, `count` or a few more, as far as there are any. */
  async newest(signal: AbortSignal, count = this.perPage): Promise<MessageWindow> {
    const { items, hasMore } = await this.#back(undefined, count, signal);
    return { messages: items, hasOlder: hasMore, hasNewer: false };
  }

  /** A message with those around it. @throws {CallboardError} 404: it is not there (any more) */
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
    // It is the first of all.
    const newer = await this.page({ after_id: id }, signal);
    const next = newer.items.at(-1);
    if (next === undefined) return this.newest(signal);
    const { items } = await this.page({ before_id: next.id }, signal);
    return { messages: [...newer.items, ...items], hasOlder: false, hasNewer: newer.hasMore };
  }

  /** The same part of the history, as it is now; the newest messages where it is gone. */
  async again({ messages, hasNewer }: MessageWindow, signal: AbortSignal): Promise<MessageWindow> {
    const count = Math.max(messages.length, this.perPage);
    const newest = messages[0];
    if (!hasNewer || newest === undefined) return this.newest(signal, count);
    try {
      const { items } = await this.page({ after_id: newest.id }, signal, 1);
      const next = items[0];
      if (next === undefined) return await this.newest(signal, count);
      const back = await this.#back(next.id, count, signal);
      return { messages: back.items, hasOlder: back.hasMore, hasNewer: true };
    } catch (error) {
      if (error instanceof CallboardError && error.code === NOT_FOUND) return this.newest(signal);
      throw error;
    }
  }

  async #back(before: number | undefined, count: number, signal: AbortSignal): Promise<Page> {
    const perPage = Math.min(Math.max(count, this.perPage), LARGEST_PAGE);
    let [items, hasMore]: [Message[], boolean] = [[], true];
    while (hasMore && items.length < Math.min(count, MOST_KEPT)) {
      const page = await this.page({ before_id: items.at(-1)?.id ?? before }, signal, perPage);
      items = [...items, ...page.items];
      hasMore = page.hasMore;
    }
    return { items, hasMore };
  }
}

/** With older messages behind; too many fall out in front. */
export function withOlder({ messages, hasNewer }: MessageWindow, { items, hasMore }: Page): MessageWindow {
  const all = [...messages, ...items];
  const kept = all.slice(-MOST_KEPT);
  return { messages: kept, hasOlder: hasMore, hasNewer: hasNewer || kept.length < all.length };
}

/** With newer messages in front; too many fall out behind. */
export function withNewer({ messages, hasOlder }: MessageWindow, { items, hasMore }: Page): MessageWindow {
  const all = [...items, ...messages];
  const kept = all.slice(0, MOST_KEPT);
  return { messages: kept, hasOlder: hasOlder || kept.length < all.length, hasNewer: hasMore };
}
