import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import { toNotificationResponse } from '../dto/notification.dto';
import { NotificationEvents } from '../events/notification-events';
import { changePositions, readBlocksOf } from '../store/inbox-changes.store';
import { findRemovals } from '../store/removals.store';
import {
  deleteSnoozes,
  type EndedSnooze,
  endedSnoozes,
  notificationsByIds,
  stillEnded,
} from '../store/snoozes.store';
import { Inboxes } from './inboxes';

const INTERVAL_MS = 1_000;
/** Snoozes per transaction; it is small because the transaction locks their inboxes. */
const BATCH_SIZE = 50;

/**
 * Returns snoozed notifications into their inboxes, unread, when their time has come. Safe to run on several instances
 * concurrently: the lock of the inbox lets one of them find the snooze.
 */
@Injectable()
export class SnoozeEnds {
  constructor(
    private readonly transactions: Transactions,
    private readonly inboxes: Inboxes,
    private readonly events: NotificationEvents,
    private readonly clock: Clock,
  ) {}

  @Periodic({
    name: 'notification_snoozes',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to return snoozed notifications, retrying on the next run',
  })
  async sweep(stopping?: AbortSignal): Promise<void> {
    await repeatWhile(async () => {
      const ended = await endedSnoozes(this.transactions.read(), this.clock.now(), BATCH_SIZE);
      if (ended.length > 0) await this.transactions.run((em) => this.#returnAll(em, ended));
      return ended.length === BATCH_SIZE;
    }, stopping);
  }

  async #returnAll(em: EntityManager, ended: readonly EndedSnooze[]): Promise<void> {
    const inboxes = await this.inboxes.lock(
      em,
      ended.map(({ user_id }) => user_id),
    );
    const candidates = ended.map(({ notification_id }) => notification_id);
    const now = this.clock.now();
    const ids = await stillEnded(em, candidates, now);
    if (ids.length === 0) return;
    await deleteSnoozes(em, ids);
    const found = await findRemovals(em, inboxes, ids);
    await readBlocksOf(em, found);
    const returned = found.filter((notification) => notification.inbox.isArchived(notification));
    await changePositions(
      em,
      returned.map((notification) => ({ ...notification, to: 'returned' as const })),
    );
    const rows = await notificationsByIds(
      em,
      returned.map(({ id }) => id),
    );
    for (const { inbox, id } of returned) {
      const row = rows.get(id);
      if (row !== undefined)
        this.events.returned(em, inbox, toNotificationResponse(row, { isUnread: true }), now);
    }
  }
}
