import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions';
import { unreadTotalsOf } from '../../messaging/store/conversation.store';
import { readSnapshots, unreadIn } from '../../notifications/store/inbox-snapshot.store';
import { notificationsForPush, type NotificationForPush } from '../../notifications/store/push-view.store';
import { PushDecisions, type PushDecision, type PushSubject } from './push-decisions';

/** Reads of other modules for many users at once: unread counts, notifications and preferences. */
@Injectable()
export class PushBadges {
  constructor(
    private readonly transactions: Transactions,
    private readonly decisions: PushDecisions,
  ) {}

  /** Returns the sums of the unread messages and notifications of users: their badges. */
  async of(userIds: readonly number[], now: Date): Promise<Map<number, number>> {
    const ids = [...new Set(userIds)];
    const em = this.transactions.read();
    const [messages, inboxes] = await Promise.all([unreadTotalsOf(em, ids, now), readSnapshots(em, ids)]);
    return new Map(
      ids.map((id) => [id, (messages.get(id) ?? 0) + unreadIn(inboxes.get(id)?.types ?? []).count]),
    );
  }

  /** Returns notifications that exist, by id. */
  notifications(ids: readonly number[]): Promise<Map<number, NotificationForPush>> {
    return notificationsForPush(this.transactions.read(), ids);
  }

  /** Returns what the preferences of users allow. */
  decide(userIds: readonly number[], subject: PushSubject, now: Date): Promise<Map<number, PushDecision>> {
    return this.decisions.decide(userIds, subject, now);
  }
}
