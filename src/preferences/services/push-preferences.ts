import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions';
import {
  decidePush,
  DEFAULT_RULES,
  type PushDecision,
  type PushSubject,
  typeOf,
} from '../rules/preferences.rules';
import { readPushRules } from '../store/preferences.store';

/** Decides about pushes by the preferences of their recipients. Nothing is cached: a change applies to the next push. */
@Injectable()
export class PushPreferences {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Decides about a push to users that is sent at `now`. One statement for up to 500 users.
   * @returns the decision for each of the users
   */
  async decide(
    userIds: readonly number[],
    subject: PushSubject,
    now: Date,
  ): Promise<Map<number, PushDecision>> {
    const rules = await readPushRules(this.transactions.read(), userIds, typeOf(subject));
    return new Map(userIds.map((id) => [id, decidePush(rules.get(id) ?? DEFAULT_RULES, subject, now)]));
  }
}
