import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { ConversationId, UserId } from '../../common/ids';
import { type TimeRange, timeRangeOf } from '../../common/day-range';
import { invalidField } from '../../common/errors/business-error';
import { type ListName, pairCursor, readPairCursor } from '../../common/http/keyset';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { firstVisible, runsOf } from '../rules/history-range.rules';
import { type Membership, membershipsDown, requireMembership } from '../store/membership.store';
import { messagesAt } from '../store/message.store';
import { deletedAmong } from '../store/deletion.store';
import { MessageViews } from '../views/message.views';
import type { MessageResponse } from '../dto/message.dto';
import type { FoundMessageResponse, SearchMessagesQuery, SearchMessagesResponse } from './search.dto';
import { foldCharacters, type Snippet, snippetOf } from './folded-text.rules';
import { pairsOf } from './pair-filter.rules';
import { filtersOf, foundConversations, type SearchableMessage, searchableIn } from './search.store';
import {
  chunksOf,
  cutWalk,
  type SearchPosition,
  type SearchSegment,
  type SearchWalk,
  walkOf,
} from './search-walk.rules';
import { containsAny, searchedText, searchedTypes } from './searched-text.rules';

/** Maximum numbers of conversations, filters and messages that one request examines. */
const MAX_CONVERSATIONS = 200;
const MAX_FILTERS = 500;
const MAX_TEXTS = 4_000;
/** Hits whose numbers differ by less are described together; their reads and reactions are read as a range. */
const DESCRIBED_SPAN = 1_000;
/** Maximum number of characters that one request compares: a message has up to 5,000. */
const MAX_CHARACTERS = 1_000_000;
/** Number of characters after which other requests have their turn: a few milliseconds. */
const CHARACTERS_PER_TURN = 50_000;

interface Hit {
  membership: Membership;
  message: SearchableMessage;
  snippet: Snippet;
}

/** A keyword with the conditions of a request. */
interface Search {
  /** The folded keyword. */
  keyword: string;
  query: SearchMessagesQuery;
  time: TimeRange;
}

/** Finds messages by their text (API 8.13). */
@Injectable()
export class MessageSearchService {
  constructor(
    private readonly transactions: Transactions,
    private readonly views: MessageViews,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns messages that contain the keyword, newest first; without a conversation, those of the conversation with the
   * highest id first. A page may be empty although there is a next one, because a request examines a bounded number of
   * messages.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, VALIDATION (`cursor`, or `to` before `from`)
   */
  async search(userId: UserId, query: SearchMessagesQuery): Promise<SearchMessagesResponse> {
    const { from, to, cursor, limit } = query;
    const time = timeRangeOf({ from, to }, this.config.timezone);
    if (time.from !== undefined && time.before !== undefined && time.before <= time.from)
      throw invalidField('to', 'invalid');
    const search: Search = { keyword: foldCharacters(query.keyword), query, time };
    const list = listOf(search);
    const position = readPairCursor(list, cursor);
    const start = position && { conversation_id: position[0], seq: position[1] };
    const memberships = await this.#membershipsOf(
      userId,
      query.conversation_id as ConversationId | undefined,
      start,
    );
    const walk = await this.#walk(search, segmentsOf(memberships, start));
    const { hits, end: readTo } = await this.#read(search, walk, memberships);
    const items = hits.slice(0, limit);
    const end = readTo ?? walk.end ?? endOf(memberships, query.conversation_id);
    return {
      items: await this.#describe(userId, items),
      next_cursor: end === undefined ? null : pairCursor(list, [end.conversation_id, end.seq]),
    };
  }

  async #membershipsOf(
    userId: UserId,
    conversationId: ConversationId | undefined,
    start: SearchPosition | undefined,
  ): Promise<Membership[]> {
    const em = this.transactions.read();
    if (conversationId !== undefined) return [await requireMembership(em, userId, conversationId)];
    return membershipsDown(em, userId, { highest: start?.conversation_id, limit: MAX_CONVERSATIONS });
  }

  /** Returns the ranges to read, after the filters have excluded others. A single character has no pair to exclude by. */
  async #walk({ keyword }: Search, segments: SearchSegment[]): Promise<SearchWalk> {
    const pairs = pairsOf(keyword);
    const filters = pairs.size === 0 ? [] : await filtersOf(this.transactions.read(), segments, MAX_FILTERS);
    return cutWalk(walkOf(segments, filters, { pairs, isCut: filters.length === MAX_FILTERS }), MAX_TEXTS);
  }

  /** Reads the ranges until there are more hits than the limit, or enough characters are compared. */
  async #read(
    search: Search,
    { ranges }: SearchWalk,
    memberships: readonly Membership[],
  ): Promise<{ hits: Hit[]; end?: SearchPosition }> {
    const { type, sender_id, has = [], limit } = search.query;
    const byConversation = new Map(memberships.map((one) => [one.conversation_id as number, one]));
    const types = searchedTypes(type, has);
    const filter = { types, sender_id: sender_id as UserId | undefined, time: search.time };
    const budget = new CharacterBudget();
    const hits: Hit[] = [];
    for (const chunk of chunksOf(ranges)) {
      const messages = await searchableIn(this.transactions.read(), chunk, filter);
      const found: Hit[] = [];
      for (const message of messages) {
        const text = searchedText(message) ?? '';
        const membership = byConversation.get(message.conversation_id);
        const snippet = containsAny(message, has) ? snippetOf(text, search.keyword) : undefined;
        if (membership && snippet) found.push({ membership, message, snippet });
        await budget.spend(text.length);
        if (!budget.isSpent) continue;
        hits.push(...(await this.#withoutDeleted(found)));
        return { hits, end: positionOf(hits[limit] ? hits[limit - 1]?.message : message) };
      }
      hits.push(...(await this.#withoutDeleted(found)));
      if (hits.length > limit) return { hits, end: positionOf(hits[limit - 1]?.message) };
    }
    return { hits };
  }

  async #withoutDeleted(hits: Hit[]): Promise<Hit[]> {
    const candidates = hits
      .filter(({ membership, message }) => message.seq <= membership.last_deleted_seq)
      .map(({ membership: { conversation_id, user_id }, message: { seq } }) => ({
        conversation_id,
        user_id,
        seq,
      }));
    const deleted = await deletedAmong(this.transactions.read(), candidates);
    const keys = new Set(deleted.map(({ conversation_id, seq }) => `${conversation_id}:${seq}`));
    return hits.filter(({ message }) => !keys.has(`${message.conversation_id}:${message.seq}`));
  }

  async #describe(userId: UserId, hits: readonly Hit[]): Promise<FoundMessageResponse[]> {
    const em = this.transactions.read();
    const byConversation = Map.groupBy(hits, ({ membership }) => membership);
    const conversations = await foundConversations(
      em,
      userId,
      [...byConversation.keys()].map(({ conversation_id }) => conversation_id),
    );
    const items: FoundMessageResponse[] = [];
    for (const [membership, found] of byConversation) {
      const conversation = conversations.get(membership.conversation_id);
      const seqs = found.map(({ message }) => message.seq);
      const rows = await messagesAt(em, membership.conversation_id, seqs);
      const bySeq = new Map<number, MessageResponse | undefined>();
      for (const run of runsOf(rows, DESCRIBED_SPAN)) {
        const messages = await this.views.describe(membership, run);
        run.forEach(({ seq }, index) => bySeq.set(seq, messages[index]));
      }
      for (const {
        message: { seq },
        snippet,
      } of found) {
        const message = bySeq.get(seq);
        // The user may have left the conversation, or the message may have been recalled, since it was found.
        if (message === undefined || conversation === undefined || message.is_recalled) continue;
        items.push({ message, conversation, ...snippet, offset: membership.max_seq - seq });
      }
    }
    return items;
  }
}

/** Bounds the processor time of a request by the number of compared characters. */
class CharacterBudget {
  #left = MAX_CHARACTERS;
  #leftInTurn = CHARACTERS_PER_TURN;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Lets other requests have their turn, if it is over. */
  async spend(characters: number): Promise<void> {
    this.#left -= characters;
    this.#leftInTurn -= characters;
    if (this.#leftInTurn > 0) return;
    this.#leftInTurn = CHARACTERS_PER_TURN;
    await nextTurn();
  }
}

/** Identifies the list of a cursor. */
const listOf = ({ keyword, query }: Search): ListName => [
  'message search',
  keyword,
  query.conversation_id,
  query.sender_id,
  query.type,
  query.from,
  query.to,
  query.has?.toSorted(),
];

/** Returns the visible messages of these conversations below the start. */
const segmentsOf = (memberships: readonly Membership[], start: SearchPosition | undefined): SearchSegment[] =>
  memberships
    .map((membership) => {
      const { conversation_id, max_seq } = membership;
      const isStart = conversation_id === start?.conversation_id;
      const to = isStart ? Math.min(max_seq, start.seq - 1) : max_seq;
      return { conversation_id, from: firstVisible(membership), to };
    })
    .filter(({ from, to }) => from <= to);

/** Returns the position after these conversations; undefined if there are no others. */
function endOf(
  memberships: readonly Membership[],
  conversationId: number | undefined,
): SearchPosition | undefined {
  const last = memberships.length === MAX_CONVERSATIONS ? memberships.at(-1) : undefined;
  return last && conversationId === undefined ? { conversation_id: last.conversation_id, seq: 0 } : undefined;
}

const positionOf = (message: SearchableMessage | undefined): SearchPosition | undefined =>
  message && { conversation_id: message.conversation_id, seq: message.seq };
