import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import {
  countUpserts,
  toUpsertOutcome,
  type UpsertOutcome,
  type UpsertResult,
} from '../../common/bulk/upsert-planner';
import type { Caller } from '../../common/auth/caller';
import { Clock } from '../../common/clock';
import { Transactions } from '../../database/transactions';
import { parseUserRow } from '../dto/upsert-users.dto';
import { USER_DISABLED, type UserEntity } from '../entities/user.entity';
import { planUserUpserts, type PlannedUser } from '../rules/upsert-plan.rules';
import { TokenAuthenticator } from '../tokens/token-authenticator';
import { UserChanges } from '../user-changes';
import { changeUsers, insertUsers, newAccount } from '../user-rows.store';
import { nextUserIds, remainingFor } from '../users.store';
import { loadCurrentUsers } from './upserts.store';

/** Creates or updates users from the operator's backend by external id (API 3.4). */
@Injectable()
export class UserUpsertsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly authenticator: TokenAuthenticator,
    private readonly changes: UserChanges,
  ) {}

  /**
   * Creates or updates users by external id in one transaction. An error in one row does not affect the others and is
   * reported in its result. Disabling a user ends their sessions and calls.
   * @param users the rows as sent, not validated
   * @param caller A caller with a login session must leave an administrator who can log in. An API key must not change
   *   administrators.
   * @param isDryRun whether nothing is written and only the expected results are returned. New users have no id then
   * @returns the results, in the order of `users`
   */
  async apply(
    users: readonly unknown[],
    caller: Caller,
    { isDryRun = false }: { isDryRun?: boolean } = {},
  ): Promise<UpsertOutcome[]> {
    const rows = await Promise.all(users.map(parseUserRow));
    const counted = caller.user && remainingFor(caller.user);
    const sparesAdministrators = caller.apiKey !== undefined;
    const results = await this.transactions.run(
      async (em) => {
        const current = await loadCurrentUsers(em, rows, counted);
        const steps = planUserUpserts(rows, { ...current, sparesAdministrators });
        if (isDryRun) return steps.map((step) => toUpsertOutcome(step, new Map()));
        const ids = await this.#create(em, steps);
        await this.#change(em, steps);
        const upserted = steps.map((step) => toUpsertOutcome(step, ids));
        recordUpserts(em, upserted);
        return upserted;
      },
      // After a conflict with a concurrent request the next attempt finds the account or external id and reports it.
      { retryOnDuplicateKey: true },
    );
    if (isDryRun) return results;
    for (const { result, id } of results)
      if (result === 'updated' && id !== null) this.authenticator.forget(id);
    return results;
  }

  /** Creates the new users and returns their ids by external id. */
  async #create(em: EntityManager, steps: readonly PlannedUser<UserEntity>[]): Promise<Map<string, number>> {
    const inputs = steps.flatMap((step) => (step.result === 'created' ? [step.input] : []));
    if (inputs.length === 0) return new Map();
    const ids = await nextUserIds(em, inputs.length);
    const created_at = this.clock.now();
    const newUsers = inputs.map(
      ({ external_id, account = null, name = '', avatar = null, status }, index) => {
        const fields = { external_id, account, name, avatar, created_at };
        return newAccount(ids[index] as number, { ...fields, role: 'user', password_hash: null }, status);
      },
    );
    const users = await insertUsers(em, newUsers);
    for (const user of users) this.changes.created(em, user);
    return new Map(users.map(({ external_id, id }) => [external_id ?? '', id]));
  }

  async #change(em: EntityManager, steps: readonly PlannedUser<UserEntity>[]): Promise<void> {
    const updates = steps.flatMap((step) => {
      if (step.result !== 'updated') return [];
      const { account, name, avatar, status } = step.input;
      return [{ user: step.existing, settings: { account, name, avatar, status } }];
    });
    const changed = await changeUsers(em, updates);
    for (const change of changed) await this.changes.updated(em, change);
    const disabled = changed.filter(({ user }) => user.status === USER_DISABLED).map(({ user }) => user.id);
    if (disabled.length > 0) await this.changes.endAccess(em, disabled);
  }
}

/** Audits the users created and updated, and the number of errors. */
function recordUpserts(em: EntityManager, outcomes: readonly UpsertOutcome[]): void {
  const idsOf = (result: UpsertResult): (number | null)[] =>
    outcomes.filter((outcome) => outcome.result === result).map(({ id }) => id);
  const { created, updated, failed } = countUpserts(outcomes);
  if (created + updated === 0) return;
  const user_ids = [...idsOf('created'), ...idsOf('updated')];
  recordAudit(em, { object_id: null, before: null, after: { created, updated, failed, user_ids } });
}
