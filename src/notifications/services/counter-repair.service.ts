import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Drift } from '../../common/drift';
import { Transactions } from '../../database/transactions';
import { Inboxes } from './inboxes';
import { highestPosition, ownersAfter, setLastPosition } from '../store/inbox.store';
import type { LockedInbox } from '../store/locked-inbox.store';
import { recountInbox } from '../store/recount.store';

const BATCH_SIZE = 500;

/** Recounts inboxes from their notifications, and reports and corrects drift. */
@Injectable()
export class CounterRepairService {
  constructor(
    private readonly transactions: Transactions,
    private readonly inboxes: Inboxes,
  ) {}

  /** Yields all drift, corrected already. Locks one inbox at a time, because the service may be running. */
  async *repair(): AsyncGenerator<Drift> {
    for (let ids = await this.#findIdsAfter(0); ids.length > 0; ids = await this.#findIdsAfter(ids.at(-1))) {
      for (const id of ids) yield* await this.#repairInbox(id);
    }
  }

  #findIdsAfter(userId = 0): Promise<number[]> {
    return ownersAfter(this.transactions.read(), userId, BATCH_SIZE);
  }

  #repairInbox(userId: number): Promise<Drift[]> {
    return this.transactions.run(async (em) => {
      const [inbox] = await this.inboxes.lock(em, [userId]);
      if (inbox === undefined) return [];
      return [...(await recountInbox(em, inbox)), ...(await repairPosition(em, inbox))];
    });
  }
}

/** Raises `last_seq` to the highest position in use, because the next position must be free. */
async function repairPosition(em: EntityManager, { user_id, last_seq }: LockedInbox): Promise<Drift[]> {
  const highest = await highestPosition(em, user_id);
  if (highest <= last_seq) return [];
  await setLastPosition(em, user_id, highest);
  return [{ userId: user_id, counter: 'last_seq', stored: last_seq, actual: highest }];
}
