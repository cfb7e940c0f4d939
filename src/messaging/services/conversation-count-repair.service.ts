import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Drift } from '../../common/drift';
import { Transactions } from '../../database/transactions';
import type { ConversationType } from '../entities/conversation.entity';
import { COUNTERS, lockCounts } from '../store/conversation-counts.store';
import {
  recountConversations,
  storeCounts,
  storedCounts,
  typesWithCounts,
  usersWithCounts,
} from '../store/conversation-recount.store';

const USER_BATCH_SIZE = 500;

/** Recounts the conversations of every user from the member rows, corrects counts that differ and reports them. */
@Injectable()
export class ConversationCountRepairService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Yields each difference after it is corrected. Locks one user at a time, so the service may keep running meanwhile.
   */
  async *repair(): AsyncGenerator<Drift> {
    for (let ids = await this.#usersAfter(0); ids.length > 0; ids = await this.#usersAfter(ids.at(-1)))
      for (const id of ids) yield* await this.transactions.run((em) => repairUser(em, id));
  }

  #usersAfter(userId = 0): Promise<number[]> {
    return usersWithCounts(this.transactions.read(), userId, USER_BATCH_SIZE);
  }
}

async function repairUser(em: EntityManager, userId: number): Promise<Drift[]> {
  const drift: Drift[] = [];
  for (const type of await typesWithCounts(em, userId)) drift.push(...(await repairCounts(em, userId, type)));
  return drift;
}

/**
 * Locks the counts before it counts the rows. A transaction that has written the counts has committed by then. One that
 * has changed only member rows so far is not visible to the recount; it adds its difference to the corrected counts.
 */
async function repairCounts(em: EntityManager, userId: number, type: ConversationType): Promise<Drift[]> {
  await lockCounts(em, userId, type);
  const stored = await storedCounts(em, userId, type);
  const actual = await recountConversations(em, userId, type);
  const wrong = COUNTERS.filter((counter) => stored[counter] !== actual[counter]);
  if (wrong.length > 0) await storeCounts(em, userId, type, actual);
  return wrong.map((counter) => ({
    userId,
    counter: `${counter} of "${type}" conversations`,
    stored: stored[counter],
    actual: actual[counter],
  }));
}
