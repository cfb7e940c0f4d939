import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import type { Drift } from '../../common/drift';
import { Transactions } from '../../database/transactions';
import { inChunks } from '../../common/concurrency/chunks';
import { InboxEntity } from '../entities/inbox.entity';
import { NotificationCountEntity } from '../entities/notification-count.entity';
import { NotificationEntity } from '../entities/notification.entity';
import { Inboxes } from './inboxes';
import type { LockedInbox } from '../store/locked-inbox.store';
import { compare, recountNotifications } from '../store/recount.store';

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

  async #findIdsAfter(userId = 0): Promise<number[]> {
    const inboxes = await this.transactions.read().find(InboxEntity, {
      select: { user_id: true },
      where: { user_id: MoreThan(userId) },
      order: { user_id: 'ASC' },
      take: BATCH_SIZE,
    });
    return inboxes.map(({ user_id }) => user_id);
  }

  #repairInbox(userId: number): Promise<Drift[]> {
    return this.transactions.run(async (em) => {
      const inboxes = await this.inboxes.lock(em, [userId]);
      return [...(await repairCounts(em, userId)), ...(await repairPosition(em, inboxes))];
    });
  }
}

async function repairCounts(em: EntityManager, userId: number): Promise<Drift[]> {
  const stored = await em.findBy(NotificationCountEntity, { user_id: userId });
  const actual = await recountNotifications(em, userId, stored);
  const drift = compare(userId, stored, actual);
  if (drift.length > 0) {
    await em.delete(NotificationCountEntity, { user_id: userId });
    for (const chunk of inChunks(actual)) await em.insert(NotificationCountEntity, chunk);
  }
  return drift;
}

/** Raises `last_seq` to the highest position in use, because the next position must be free. */
async function repairPosition(em: EntityManager, inboxes: LockedInbox[]): Promise<Drift[]> {
  const drift: Drift[] = [];
  for (const { user_id, last_seq } of inboxes) {
    const highest = (await em.maximum(NotificationEntity, 'seq', { user_id })) ?? 0;
    if (highest <= last_seq) continue;
    await em.update(InboxEntity, { user_id }, { last_seq: highest });
    drift.push({ userId: user_id, counter: 'last_seq', stored: last_seq, actual: highest });
  }
  return drift;
}
