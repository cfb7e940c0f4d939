import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { noteAudit } from '../audit/trail/note-audit';
import type { Caller } from '../common/auth/caller';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { sentFields } from '../common/input/sent-fields';
import { Transactions } from '../database/transactions';
import type { ChangeUserRequest, ChangeUsersRequest } from './dto/users.dto';
import { USER_DISABLED, UserEntity } from './entities/user.entity';
import { refuseKey } from './by-key/key-limits';
import { UserActs } from './events/user-acts';
import { noteChangedUser } from './events/user-audit';
import { SessionsService } from './sessions/sessions.service';
import { TokenAdmission } from './tokens/token-admission';
import { UserChanges } from './user-changes';
import { changeUser, holdUser, holdUsers } from './user-rows.queries';
import { areLastAdministrators, refuseTaken, refuseTakenExternalId } from './users.queries';

/** The administration of users: changing them. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: SessionsService,
    private readonly admission: TokenAdmission,
    private readonly changes: UserChanges,
    private readonly acts: UserActs,
  ) {}

  /**
   * Changes what is sent. Disabling ends all sessions of the user, and the call that the user is in.
   * @param caller who does it. One who logged in here cannot leave the service without an administrator who can log
   *   in; one with a foreign token may, being an administrator who stays; a key touches no administrator.
   * @throws {BusinessError} USER_NOT_FOUND, ACCOUNT_TAKEN, EXTERNAL_ID_TAKEN; VALIDATION for the last administrator's role
   *   or status, and for the external id of a user whom a provider names by one of its own; FORBIDDEN for what a key
   *   may not do
   */
  async change(id: number, body: ChangeUserRequest, caller: Caller): Promise<UserEntity> {
    const { account, name, avatar, role, status, external_id } = body;
    const changed = await this.transactions.run(
      async (em) => {
        if (!(await em.existsBy(UserEntity, { id }))) throw new BusinessError('USER_NOT_FOUND');
        if (caller.apiKey) refuseKey(caller, role === 'admin' || (await holdUser(em, id)).role === 'admin');
        const lost = caller.user?.sid === undefined ? undefined : losingField(body);
        if (lost !== undefined && (await areLastAdministrators(em, [id])))
          throw invalidField(lost, '取值无效');
        if (account !== undefined) await refuseTaken(em, account, id);
        if (typeof external_id === 'string') await refuseTakenExternalId(em, external_id, id);
        const held = await holdUser(em, id);
        if (external_id !== undefined && held.issuer !== '') throw invalidField('external_id', '取值无效');
        const settings = { account, name, avatar, role, status, external_id };
        const change = await changeUser(em, held, settings);
        await this.changes.announceAdministered(em, change);
        noteChangedUser(em, change);
        if (status === USER_DISABLED) await this.#endWhatGoesOn(em, [id]);
        return change.user;
      },
      { retryWhenTaken: true },
    );
    this.admission.forget(id);
    return changed;
  }

  /**
   * Changes the role or the status of several users, all or none. Disabling ends all their sessions and calls.
   * @param caller as for one
   * @returns how many of them that changes
   * @throws {BusinessError} VALIDATION for nothing to change, `用户不存在: 7, 9`, the last administrators' role or status;
   *   FORBIDDEN for what a key may not do
   */
  async changeMany({ user_ids: ids, role, status }: ChangeUsersRequest, caller: Caller): Promise<number> {
    const changes = sentFields({ role, status });
    if (Object.keys(changes).length === 0) throw invalidField('status', '字段不能为空');
    const affected = await this.transactions.run(async (em) => {
      const lost = caller.user?.sid === undefined ? undefined : losingField({ role, status });
      // Nobody shall become an administrator between a key's look and its change.
      const users = await (caller.apiKey ? holdUsers(em, ids) : em.findBy(UserEntity, { id: In(ids) }));
      requireUsers(ids, users);
      refuseKey(caller, role === 'admin' || users.some((user) => user.role === 'admin'));
      if (lost !== undefined && (await areLastAdministrators(em, ids))) throw invalidField(lost, '取值无效');
      const changed = (await holdUsers(em, ids)).flatMap((user) => {
        const fields = fieldsChanged(user, changes);
        return fields.length === 0 ? [] : [{ user, fields }];
      });
      if (changed.length > 0)
        await em.update(UserEntity, { id: In(changed.map(({ user }) => user.id)) }, changes);
      for (const { user, fields } of changed) this.acts.updated(em, Object.assign(user, changes), fields);
      if (status === USER_DISABLED) await this.#endWhatGoesOn(em, ids);
      const user_ids = changed.map(({ user }) => user.id);
      const after = { affected: changed.length, user_ids, ...changes };
      if (changed.length > 0) noteAudit(em, { object_id: null, before: null, after });
      return changed.length;
    });
    for (const id of ids) this.admission.forget(id);
    return affected;
  }

  /** Ends the sessions and calls of users who are disabled. Their rows are locked. */
  async #endWhatGoesOn(em: EntityManager, ids: number[]): Promise<void> {
    await this.sessions.endAllOf(em, ids);
    await this.changes.announceDisabled(em, ids);
  }
}

/** @throws {BusinessError} VALIDATION `用户不存在: 7, 9` */
function requireUsers(ids: number[], users: UserEntity[]): void {
  const known = new Set(users.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers(unknown) });
}

/** Which of some fields a user has otherwise. */
const fieldsChanged = (
  user: UserEntity,
  changes: Partial<Pick<UserEntity, 'role' | 'status'>>,
): ('role' | 'status')[] =>
  (['role', 'status'] as const).filter(
    (field) => changes[field] !== undefined && changes[field] !== user[field],
  );

/** The field by which an administrator would cease to be one who can log in. */
function losingField({ role, status }: ChangeUserRequest): string | undefined {
  if (role === 'user') return 'role';
  return status === USER_DISABLED ? 'status' : undefined;
}
