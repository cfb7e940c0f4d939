import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { noteAudit } from '../../audit/trail/note-audit';
import type { Caller } from '../../common/auth/caller';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { toDto } from '../../common/input/dto.pipe';
import { checkText, NOT_AN_OBJECT } from '../../common/input/fields';
import { Transactions } from '../../database/transactions';
import { UpsertUserRequest } from '../dto/upsert-users.dto';
import { MAX_OWN_EXTERNAL_ID, USER_DISABLED, type UserEntity } from '../entities/user.entity';
import { type Line, planUpserts, type Step, type Upserted } from '../rules/upsert-plan';
import { SessionsService } from '../sessions/sessions.service';
import { TokenAdmission } from '../tokens/token-admission';
import { UserChanges } from '../user-changes';
import { changeUsers, insertUsers, newAccount } from '../user-rows.queries';
import { nextUserIds } from '../users.queries';
import { standingOf } from './upserts.queries';

/** Users as a back end of the operator's knows them: made where they are new, changed where they differ (contract 13.2). */
@Injectable()
export class UserUpsertsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly sessions: SessionsService,
    private readonly admission: TokenAdmission,
    private readonly changes: UserChanges,
  ) {}

  /**
   * Makes or changes users, each by its external id, all in one transaction. One that is refused keeps no other from being
   * done: its refusal is in the report. Whoever is disabled loses all sessions and calls.
   * @param users what was sent of each, in whatever shape
   * @param caller who does it; one who logged in here leaves an administrator who can log in, and a key touches none
   * @returns what was done about each, in their order
   */
  async apply(users: readonly unknown[], caller: Caller): Promise<Upserted[]> {
    const lines = await Promise.all(users.map(readLine));
    const mustKeepOne = caller.user?.sid !== undefined;
    const sparesAdministrators = caller.apiKey !== undefined;
    const done = await this.transactions.run(
      async (em) => {
        const standing = await standingOf(em, lines, { mustKeepOne });
        const steps = planUpserts(lines, { ...standing, sparesAdministrators });
        const ids = await this.#create(em, steps);
        await this.#change(em, steps);
        const told = steps.map((step) => doneOf(step, ids));
        noteUpserts(em, told);
        return told;
      },
      // An account or external id that is set meanwhile is somebody's when it looks again.
      { retryWhenTaken: true },
    );
    for (const { result, id } of done) if (result === 'updated' && id !== null) this.admission.forget(id);
    return done;
  }

  /** The ids of those who are made, by external id. */
  async #create(em: EntityManager, steps: readonly Step<UserEntity>[]): Promise<Map<string, number>> {
    const told = steps.flatMap((step) => (step.result === 'created' ? [step.told] : []));
    if (told.length === 0) return new Map();
    const ids = await nextUserIds(em, told.length);
    const created_at = this.clock.now();
    const newcomers = told.map(({ external_id, account = null, name, avatar = null, status }, index) => {
      const about = { external_id, account, name, avatar, created_at };
      return newAccount(ids[index] as number, { ...about, role: 'user', password_hash: null }, status);
    });
    const users = await insertUsers(em, newcomers);
    for (const user of users) this.changes.announceNew(em, user);
    return new Map(users.map(({ external_id, id }) => [external_id ?? '', id]));
  }

  async #change(em: EntityManager, steps: readonly Step<UserEntity>[]): Promise<void> {
    const told = steps.flatMap((step) => {
      if (step.result !== 'updated') return [];
      const { account, name, avatar, status } = step.told;
      return [{ user: step.user, settings: { account, name, avatar, status } }];
    });
    const changed = await changeUsers(em, told);
    for (const change of changed) await this.changes.announceAdministered(em, change);
    const disabled = changed.filter(({ user }) => user.status === USER_DISABLED).map(({ user }) => user.id);
    if (disabled.length === 0) return;
    await this.sessions.endAllOf(em, disabled);
    await this.changes.announceDisabled(em, disabled);
  }
}

/** One of the users told of, read as a body of its own would be. */
async function readLine(sent: unknown): Promise<Line> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { externalId: null, refusal: invalidField('users', NOT_AN_OBJECT) };
  try {
    const told = await toDto(UpsertUserRequest, sent);
    return { externalId: told.external_id, told };
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    const { external_id: externalId } = sent as { external_id?: unknown };
    const isOne = externalId !== '' && checkText(externalId, { max: MAX_OWN_EXTERNAL_ID }) === undefined;
    return { externalId: isOne ? (externalId as string) : null, refusal: error };
  }
}

/** Whom it has made or changed, and how many could not be. */
function noteUpserts(em: EntityManager, done: readonly Upserted[]): void {
  const idsOf = (result: Upserted['result']): (number | null)[] =>
    done.filter((one) => one.result === result).map(({ id }) => id);
  const [created, updated] = [idsOf('created'), idsOf('updated')];
  if (created.length + updated.length === 0) return;
  const counts = { created: created.length, updated: updated.length, failed: idsOf('error').length };
  noteAudit(em, { object_id: null, before: null, after: { ...counts, user_ids: [...created, ...updated] } });
}

function doneOf(step: Step<UserEntity>, created: ReadonlyMap<string, number>): Upserted {
  const { externalId, result } = step;
  if (result === 'created') return { externalId, result, id: created.get(externalId) ?? null };
  const id = step.user?.id ?? null;
  return step.result === 'error'
    ? { externalId, result, id, refusal: step.refusal }
    : { externalId, result, id };
}
