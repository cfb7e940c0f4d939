import { Injectable } from '@nestjs/common';
import { type EntityManager, In, LessThanOrEqual } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import { affectedBy } from '../database/statements';
import { Transactions } from '../database/transactions';
import { type User, UsersService } from '../identity/users.service';
import { inChunks } from './chunks';
import { type DatedMessage, deliver } from './deliveries';
import { BroadcastEntity } from './entities/broadcast.entity';
import { InboxEntity } from './entities/inbox.entity';
import { type LockedInbox, readLocked, readLockedWith, type Target } from './locked-inbox';
import { NotificationEvents } from './notification-events';

/** The inboxes of all users: opening them, and taking turns in changing them. */
@Injectable()
export class Inboxes {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly events: NotificationEvents,
  ) {}

  /**
   * One act on one user's inbox, in a transaction of its own. `work` finds the inbox locked and with every broadcast
   * in it; it returns what the act answers.
   */
  async act<T>(userId: number, work: (em: EntityManager, inbox: LockedInbox) => Promise<T>): Promise<T> {
    return this.transactions.run(async (em) => {
      const inboxes = await this.lock(em, [userId]);
      await this.deliver(em, inboxes);
      return work(em, inboxes[0] as LockedInbox);
    });
  }

  /** The same for an act on one notification. @throws {BusinessError} NOTIFICATION_NOT_FOUND also for another user's */
  async actOn<T>(
    userId: number,
    notificationId: number,
    work: (em: EntityManager, inbox: LockedInbox, target: Target) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(async (em) => {
      await this.#take(em, [userId]);
      const found = await readLockedWith(em, userId, notificationId);
      if (found === undefined) throw new BusinessError('NOTIFICATION_NOT_FOUND');
      await this.deliver(em, [found.inbox]);
      return work(em, found.inbox, found.target);
    });
  }

  /** Lets the inboxes of some users take in the broadcasts that they have missed. */
  async catchUp(userIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      await this.deliver(em, await this.lock(em, userIds));
    });
  }

  /** Lets those who listen hear of a broadcast at once, when the transaction that sends it has committed. */
  announceBroadcast(em: EntityManager): void {
    this.events.broadcast(em);
  }

  /**
   * Brings locked inboxes up to date, adds `message` to them, and tells their owners. Returns how many got it: those
   * whom its dedupe key had reached before do not.
   */
  async deliver(em: EntityManager, inboxes: LockedInbox[], message?: DatedMessage): Promise<number> {
    const { added, reached } = await deliver(em, inboxes, message);
    await this.events.created(em, inboxes, added);
    return reached;
  }

  /**
   * Locks the inboxes of some users until the end of the transaction, lower ids first, and opens those that are
   * missing.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, before anything is written, for ids of nobody
   */
  async lock(em: EntityManager, userIds: number[]): Promise<LockedInbox[]> {
    const ids = [...new Set(userIds)].toSorted((a, b) => a - b);
    if (ids.length === 0) return [];
    await this.#take(em, ids);
    return readLocked(em, ids);
  }

  /**
   * Opens the inboxes of those users that have none yet. The broadcasts sent before a user existed, or at the very
   * millisecond of its creation, are none of its business: see `NotificationSender` for the other half of the rule.
   */
  async open(em: EntityManager, users: User[]): Promise<void> {
    for (const chunk of inChunks(users)) {
      // Asked for first: an insert that is ignored would wait for whoever has the inbox locked.
      const present = await em.find(InboxEntity, {
        select: { user_id: true },
        where: { user_id: In(chunk.map(({ id }) => id)) },
      });
      const known = new Set(present.map(({ user_id }) => user_id));
      const missing = chunk.filter(({ id }) => !known.has(id));
      if (missing.length > 0) await insertInboxes(em, missing);
    }
  }

  async #take(em: EntityManager, ids: number[]): Promise<void> {
    if ((await touch(em, ids)) === ids.length) return;
    await this.#openMissing(em, ids);
    await touch(em, ids);
  }

  async #openMissing(em: EntityManager, ids: number[]): Promise<void> {
    const users = await this.users.findByIds(ids, em);
    const nobodys = ids.filter((id) => !users.has(id));
    if (nobodys.length > 0) {
      throw new BusinessError('VALIDATION', { message: `用户不存在: ${nobodys.join(', ')}` });
    }
    await this.open(em, [...users.values()]);
  }
}

/** Another request may be opening the same inboxes: those that are there by now stay as they are. */
async function insertInboxes(em: EntityManager, users: User[]): Promise<void> {
  const moments = new Map(users.map(({ createdAt }) => [createdAt.getTime(), createdAt]));
  const lastBefore = new Map<number, number>();
  for (const [time, moment] of moments) {
    const last = await em.findOne(BroadcastEntity, {
      select: { id: true },
      where: { created_at: LessThanOrEqual(moment) },
      order: { id: 'DESC' },
    });
    lastBefore.set(time, last?.id ?? 0);
  }
  const inboxes = users.map(({ id, createdAt }) => ({
    user_id: id,
    last_seq: 0,
    version: 0,
    broadcast_id: lastBefore.get(createdAt.getTime()) ?? 0,
  }));
  await em
    .createQueryBuilder()
    .insert()
    .into(InboxEntity)
    .values(inboxes)
    .orIgnore()
    .updateEntity(false)
    .execute();
}

/** Raises the versions, which locks the rows; returns how many there were. */
async function touch(em: EntityManager, ids: number[]): Promise<number> {
  const places = ids.map(() => '?').join(', ');
  const sql = `UPDATE notification_inboxes SET version = version + 1 WHERE user_id IN (${places})`;
  return affectedBy(em, sql, ids);
}
