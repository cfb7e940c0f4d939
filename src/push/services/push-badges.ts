import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions';
import { unreadTotalsOf } from '../../messaging/store/unread-counts.store';
import { readSnapshots, unreadIn } from '../../notifications/store/inbox-snapshot.store';
import { findForPush, type PushableNotification } from '../../notifications/store/pushable.store';
import type { PushDecision, PushSubject } from '../../preferences/rules/preferences.rules';
import { PushPreferences } from '../../preferences/services/push-preferences';

/** Reads of other modules for many users at once: unread counts, notifications and preferences. */
@Injectable()
export class PushBadges {
  constructor(
    private readonly transactions: Transactions,
    private readonly preferences: PushPreferences,
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
  notifications(ids: readonly number[]): Promise<Map<number, PushableNotification>> {
    return findForPush(this.transactions.read(), ids);
  }

  /** Returns what the preferences of users allow. */
  decide(userIds: readonly number[], subject: PushSubject, now: Date): Promise<Map<number, PushDecision>> {
    return this.preferences.decide(userIds, subject, now);
  }
}
