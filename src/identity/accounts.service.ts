import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../audit/recording/record-audit';
import type { Caller } from '../common/auth/caller';
import { Clock } from '../common/clock';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { sentFields } from '../common/input/sent-fields';
import type { IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { Transactions } from '../database/transactions';
import type { ChangeUserRequest, ChangeUsersRequest, CreateUserRequest } from './dto/users.dto';
import { USER_DISABLED, type UserEntity } from './entities/user.entity';
import { refuseKey } from './by-key/key-limits';
import { noteChangedUser, noteNewUser } from './events/user-audit';
import { Passwords } from './passwords';
import { TokenAuthenticator } from './tokens/token-authenticator';
import { UserChanges } from './user-changes';
import { changeUser, insertUser, lockUser, lockUsers, newAccount, updateAccess } from './user-rows.store';
import {
  areLastAdministrators,
  assertAccountFree,
  assertExternalIdFree,
  nextUserId,
  remainingFor,
  userById,
  usersByIds,
} from './users.store';

/** Creates and changes users for administrators and API keys, and creates users for the service itself. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly authenticator: TokenAuthenticator,
    private readonly changes: UserChanges,
  ) {}

  /**
   * Creates a user, at most once per idempotency key. Without a password the user cannot log in.
   * @param caller empty (the default): the service itself
   * @throws {BusinessError} ACCOUNT_TAKEN, EXTERNAL_ID_TAKEN, REQUEST_ID_REUSED; FORBIDDEN for a password or the role
   *   `admin` from an API key
   */
  async create(
    body: CreateUserRequest,
    caller: Caller = {},
    idempotency?: IdempotencyRecord,
  ): Promise<UserEntity> {
    const { account, password, external_id = null, name, avatar = null, role } = body;
    refuseKey(caller, password !== undefined || role === 'admin');
    return this.transactions.runIdempotent(idempotency, await this.#withPasswordDigest(body, idempotency), {
      create: async (run) => {
        const password_hash = password === undefined ? null : await this.passwords.hash(password);
        const created_at = this.clock.now();
        return run(
          async (em) => {
            await assertAccountFree(em, account);
            if (external_id !== null) await assertExternalIdFree(em, external_id);
            const id = await nextUserId(em);
            const about = { account, external_id, name, avatar, role, password_hash, created_at };
            const user = await insertUser(em, newAccount(id, about));
            this.changes.created(em, user);
            noteNewUser(em, user);
            return user;
          },
          { retryOnDuplicateKey: true },
        );
      },
      replay: (id) => userById(this.transactions.read(), id),
    });
  }

  /**
   * Changes the fields that are sent. Disabling a user ends their sessions and their current call.
   * @param caller A caller with a login session must not remove the last administrator who can log in, a caller with a
   *   token of an identity provider not the last one with the stored role. An API key must not change administrators.
   * @throws {BusinessError} USER_NOT_FOUND, ACCOUNT_TAKEN, EXTERNAL_ID_TAKEN; VALIDATION for the role or status of the
   *   last administrator, and for the external id of a user who belongs to a provider's issuer; FORBIDDEN for a change
   *   that an API key must not make
   */
  async change(id: number, body: ChangeUserRequest, caller: Caller): Promise<UserEntity> {
    const { account, name, avatar, role, status, external_id } = body;
    const changed = await this.transactions.run(
      async (em) => {
        await userById(em, id);
        if (caller.apiKey) refuseKey(caller, role === 'admin' || (await lockUser(em, id)).role === 'admin');
        await requireRemaining(em, { ids: [id], caller, changes: body });
        if (account !== undefined) await assertAccountFree(em, account, id);
        if (typeof external_id === 'string') await assertExternalIdFree(em, external_id, id);
        const user = await lockUser(em, id);
        if (external_id !== undefined && user.issuer !== '') throw invalidField('external_id', 'invalid');
        const settings = { account, name, avatar, role, status, external_id };
        const change = await changeUser(em, user, settings);
        await this.changes.updated(em, change);
        noteChangedUser(em, change);
        if (status === USER_DISABLED) await this.changes.endAccess(em, [id]);
        return change.user;
      },
      { retryOnDuplicateKey: true },
    );
    this.authenticator.forget(id);
    return changed;
  }

  /**
   * Changes the role or the status of several users, all or none. Disabling ends all their sessions and calls.
   * @param caller see `change`
   * @returns the number of users who were changed
   * @throws {BusinessError} VALIDATION without any field, for unknown users (`用户不存在: 7, 9`), and for the role or status
   *   of the last administrators; FORBIDDEN for a change that an API key must not make
   */
  async changeMany({ user_ids: ids, role, status }: ChangeUsersRequest, caller: Caller): Promise<number> {
    const changes = sentFields({ role, status });
    if (Object.keys(changes).length === 0) throw invalidField('status', 'required');
    if (ids.length === 0) return 0;
    const affected = await this.transactions.run(async (em) => {
      // An API key must not change administrators: the lock keeps a user from becoming one between this check and the
      // update.
      const users = await (caller.apiKey ? lockUsers(em, ids) : usersByIds(em, ids));
      requireUsers(ids, users);
      refuseKey(caller, role === 'admin' || users.some((user) => user.role === 'admin'));
      await requireRemaining(em, { ids, caller, changes });
      const changed = (await lockUsers(em, ids)).flatMap((user) => {
        const fields = fieldsChanged(user, changes);
        return fields.length === 0 ? [] : [{ user, fields }];
      });
      if (changed.length > 0)
        await updateAccess(
          em,
          changed.map(({ user }) => user.id),
          changes,
        );
      for (const { user, fields } of changed)
        await this.changes.updated(em, { user: Object.assign(user, changes), fields });
      if (status === USER_DISABLED) await this.changes.endAccess(em, ids);
      const user_ids = changed.map(({ user }) => user.id);
      const after = { affected: changed.length, user_ids, ...changes };
      if (changed.length > 0) recordAudit(em, { object_id: null, before: null, after });
      return changed.length;
    });
    for (const id of ids) this.authenticator.forget(id);
    return affected;
  }

  /**
   * Changes the role or the status of users as `changeMany` does, except of the calling user: an administrator who
   * selects by a filter never locks themselves out.
   */
  changeOthers({ user_ids, ...changes }: ChangeUsersRequest, caller: Caller): Promise<number> {
    const others = user_ids.filter((id) => id !== caller.user?.id);
    return this.changeMany({ user_ids: others, ...changes }, caller);
  }

  /**
   * Returns the body with its password replaced by an argon2id digest. The fast hash of the body is stored with the
   * idempotency key; with the digest, guessing the password from it costs as much as from the password hash.
   */
  async #withPasswordDigest(
    body: CreateUserRequest,
    idempotency: IdempotencyRecord | undefined,
  ): Promise<object> {
    const { password, ...fields } = body;
    if (idempotency === undefined || password === undefined) return body;
    return {
      ...fields,
      password: await this.passwords.digest(password, `${idempotency.owner} ${idempotency.key}`),
    };
  }
}

/** @throws {BusinessError} VALIDATION `用户不存在: 7, 9` */
function requireUsers(ids: number[], users: UserEntity[]): void {
  const existing = new Set(users.map(({ id }) => id));
  const unknown = ids.filter((id) => !existing.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownUsers(unknown) });
}

/** Returns the fields in which the user differs from `changes`. */
const fieldsChanged = (
  user: UserEntity,
  changes: Partial<Pick<UserEntity, 'role' | 'status'>>,
): ('role' | 'status')[] =>
  (['role', 'status'] as const).filter(
    (field) => changes[field] !== undefined && changes[field] !== user[field],
  );

/** @throws {BusinessError} VALIDATION if the change would leave no administrator of those that must remain */
async function requireRemaining(
  em: EntityManager,
  { ids, caller, changes }: { ids: readonly number[]; caller: Caller; changes: ChangeUserRequest },
): Promise<void> {
  const field = caller.user && fieldRemovingAdministrator(changes);
  if (field !== undefined && caller.user && (await areLastAdministrators(em, ids, remainingFor(caller.user))))
    throw invalidField(field, 'invalid');
}

/** Returns the field whose change stops an administrator from logging in as one; undefined if there is none. */
function fieldRemovingAdministrator({ role, status }: ChangeUserRequest): string | undefined {
  if (role === 'user') return 'role';
  return status === USER_DISABLED ? 'status' : undefined;
}
