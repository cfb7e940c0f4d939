import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { foldCharacters } from './folded-text.rules';
import type { ConversationId } from '../../common/ids';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { onCommit } from '../../database/transaction-hooks';
import { lockConversation } from '../store/membership.store';
import { searchableIn } from './search.store';
import { conversationsAfter, insertFilters, type Unfiltered, unfilteredAmong } from './message-filters.store';
import { buildFilters, MAX_FILTERED_MESSAGES } from './pair-filter.rules';
import { searchedText, searchedTypes } from './searched-text.rules';

const INTERVAL_MS = 1_000;
/** Number of conversations that one statement examines. */
const BATCH_SIZE = 200;
/** Number of messages whose filters one transaction builds, under the lock of their conversation: at least one filter. */
const MESSAGES_PER_TRANSACTION = 2 * MAX_FILTERED_MESSAGES;
/** Number of runs after a complete sweep before the next one: an hour. */
const RUNS_BETWEEN_SWEEPS = 3_600;
const ANY_TIME = { from: undefined, before: undefined };

/**
 * Builds the filters of the search in the background. Sends only note their conversation in memory. Conversations that
 * a crash has forgotten, and those from before the search existed, are found by sweeps over all conversations.
 */
@Injectable()
export class SearchIndexService {
  readonly #due = new Set<ConversationId>();
  /** Id up to which the current sweep has examined the conversations; undefined between sweeps. */
  #sweptTo: number | undefined = 0;
  #runsUntilSweep = 0;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Remembers, after the commit, a conversation in which `count` messages up to number `newest` have filled a block of
   * 128: its filter can be built.
   */
  noteFullBlock(em: EntityManager, conversationId: ConversationId, newest: number, count: number): void {
    const isBlockFull =
      Math.floor(newest / MAX_FILTERED_MESSAGES) > Math.floor((newest - count) / MAX_FILTERED_MESSAGES);
    if (!isBlockFull) return;
    onCommit(em, {
      afterCommit: () => this.#due.add(conversationId),
    });
  }

  /** Builds the filters of noted conversations, and of one batch of the sweep. */
  @Periodic({
    name: 'search_index',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to build search filters, retrying on the next run',
  })
  async build(stopping?: AbortSignal): Promise<void> {
    const noted = [...this.#due];
    this.#due.clear();
    await this.#buildAll(noted, stopping);
    await this.#sweep(stopping);
  }

  async #sweep(stopping?: AbortSignal): Promise<void> {
    if (this.#sweptTo === undefined) {
      this.#runsUntilSweep -= 1;
      if (this.#runsUntilSweep > 0) return;
      this.#sweptTo = 0;
    }
    const ids = await conversationsAfter(this.transactions.read(), this.#sweptTo, {
      minimum: MAX_FILTERED_MESSAGES,
      limit: BATCH_SIZE,
    });
    await this.#buildAll(ids, stopping);
    this.#sweptTo = ids.length === BATCH_SIZE ? ids.at(-1) : undefined;
    if (this.#sweptTo === undefined) this.#runsUntilSweep = RUNS_BETWEEN_SWEEPS;
  }

  async #buildAll(ids: readonly number[], stopping?: AbortSignal): Promise<void> {
    const unfiltered = await unfilteredAmong(this.transactions.read(), ids, MAX_FILTERED_MESSAGES);
    for (const { conversation_id } of unfiltered)
      await repeatWhile(() => this.#buildSome(conversation_id), stopping);
  }

  /** @returns whether the conversation may have more complete filters */
  #buildSome(conversationId: ConversationId): Promise<boolean> {
    return this.transactions.run(async (em) => {
      await lockConversation(em, conversationId);
      return buildNextFilters(em, conversationId);
    });
  }
}

/**
 * Builds the filters of the first messages without one. The caller holds the conversation lock.
 * @returns whether the conversation may have more complete filters
 */
export async function buildNextFilters(em: EntityManager, conversationId: ConversationId): Promise<boolean> {
  const [conversation] = await unfilteredAmong(em, [conversationId], MAX_FILTERED_MESSAGES);
  if (conversation === undefined) return false;
  const { from, to } = rangeToFilter(conversation);
  const segment = { conversation_id: conversationId, from, to };
  const found = await searchableIn(em, [segment], { types: searchedTypes(undefined, []), time: ANY_TIME });
  const texts = new Map(found.map((message) => [message.seq, searchedText(message)]));
  const messages = Array.from({ length: to - from + 1 }, (_, index) => {
    const text = texts.get(from + index);
    return { seq: from + index, folded: text === undefined ? null : foldCharacters(text) };
  });
  const filters = buildFilters(messages);
  await insertFilters(em, conversationId, filters);
  return filters.length > 0 && to < conversation.max_seq;
}

const rangeToFilter = ({ filtered_seq, max_seq }: Unfiltered): { from: number; to: number } => ({
  from: filtered_seq + 1,
  to: Math.min(max_seq, filtered_seq + MESSAGES_PER_TRANSACTION),
});
