import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Drift } from '../../common/drift';
import { Transactions } from '../../database/transactions';
import { ANYBODY } from '../entities/call-counts.entity';
import {
  correctPositions,
  differencesOf,
  lockLists,
  POSITION_TABLES,
  recountCalls,
  storeCallCounts,
  storedCallCounts,
  usersWithCalls,
} from '../store/call-recount.store';

const USER_BATCH_SIZE = 500;

/** Recomputes the lists of calls of every user from the calls, corrects rows that differ and reports them. */
@Injectable()
export class CallListRepairService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Yields each difference after it is corrected. Locks one user at a time, so the service may keep running meanwhile.
   */
  async *repair(): AsyncGenerator<Drift> {
    for (let ids = await this.#usersAfter(0); ids.length > 0; ids = await this.#usersAfter(ids.at(-1)))
      for (const id of ids) yield* await this.transactions.run((em) => repairUser(em, id));
  }

  #usersAfter(userId = 0): Promise<number[]> {
    return usersWithCalls(this.transactions.read(), userId, USER_BATCH_SIZE);
  }
}

/**
 * Locks the lists before it reads the calls. A transaction that has listed a call has committed by then; one that waits
 * for the lock has a call with a higher id, or adds its missed call to the corrected lists.
 */
async function repairUser(em: EntityManager, userId: number): Promise<Drift[]> {
  await lockLists(em, userId);
  const drift: Drift[] = [];
  for (const table of POSITION_TABLES) {
    const stored = await correctPositions(em, userId, table);
    if (stored > 0) drift.push({ userId, counter: `wrong rows of ${table.name}`, stored, actual: 0 });
  }
  const stored = await storedCallCounts(em, userId);
  const actual = await recountCalls(em, userId);
  for (const peerId of new Set([...stored.keys(), ...actual.keys()])) {
    const differences = differencesOf(stored.get(peerId), actual.get(peerId));
    if (differences.length > 0)
      await storeCallCounts(em, { user_id: userId, peer_id: peerId }, actual.get(peerId));
    const whose = peerId === ANYBODY ? 'calls' : `calls with user ${peerId}`;
    drift.push(
      ...differences.map(({ counter, ...values }) => ({ userId, counter: `${counter} ${whose}`, ...values })),
    );
  }
  return drift;
}
