import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Drift } from '../../common/drift';
import { Transactions } from '../../database/transactions';
import { ConversationCountEntity } from '../entities/conversation-count.entity';
import type { ConversationType } from '../entities/conversation.entity';
import { COUNTERS, lockCounts } from '../store/conversation-counts';
import { recount, typesWithCounts, usersWithCounts } from '../store/conversation-recount';

const USERS_AT_A_TIME = 500;

/** Recounts the conversations of every user from the members' rows, reports what differs, and mends it. */
@Injectable()
export class ConversationCountRepairService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** All drift, each already mended when it is reported. One user is locked at a time: the service may be running. */
  async *repair(): AsyncGenerator<Drift> {
    for (let ids = await this.#usersAfter(0); ids.length > 0; ids = await this.#usersAfter(ids.at(-1)))
      for (const id of ids) yield* await this.transactions.run((em) => repairUser(em, id));
  }

  #usersAfter(userId = 0): Promise<number[]> {
    return usersWithCounts(this.dataSource.manager, userId, USERS_AT_A_TIME);
  }
}

async function repairUser(em: EntityManager, userId: number): Promise<Drift[]> {
  const drift: Drift[] = [];
  for (const type of await typesWithCounts(em, userId)) drift.push(...(await repairCounts(em, userId, type)));
  return drift;
}

/**
 * Locks the counts before the rows are counted. Who has changed both has committed by then; who has changed the rows
 * alone is not seen yet, and adds to what is written here.
 */
async function repairCounts(em: EntityManager, userId: number, type: ConversationType): Promise<Drift[]> {
  await lockCounts(em, userId, type);
  const row = { user_id: userId, type };
  const stored = await em.findOneByOrFail(ConversationCountEntity, row);
  const actual = await recount(em, userId, type);
  const wrong = COUNTERS.filter((counter) => stored[counter] !== actual[counter]);
  if (wrong.length > 0) await em.update(ConversationCountEntity, row, actual);
  return wrong.map((counter) => ({
    userId,
    counter: `${counter} of "${type}" conversations`,
    stored: stored[counter],
    actual: actual[counter],
  }));
}
