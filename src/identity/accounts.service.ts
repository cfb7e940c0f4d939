import { Injectable } from '@nestjs/common';
import { type EntityManager, In, Not } from 'typeorm';
import type { Principal } from '../common/auth/principal';
import { Clock } from '../common/clock';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import { sentFields } from '../common/input/sent-fields';
import { Transactions } from '../database/transactions';
import { type UserResponse, toUserResponse } from './dto/user-responses.dto';
import type { ChangeUserRequest, ChangeUsersRequest, CreateUserRequest } from './dto/users.dto';
import { USER_DISABLED, USER_ENABLED, UserEntity } from './entities/user.entity';
import { Passwords } from './passwords';
import { SessionsService } from './sessions/sessions.service';
import { TokenAdmission } from './tokens/token-admission';
import { areLastAdministrators, nextUserId } from './users.queries';

/** The administration of users: creating and changing them. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly admission: TokenAdmission,
  ) {}

  /**
   * Creates a user who can log in.
   * @throws {BusinessError} ACCOUNT_TAKEN
   */
  async create({ account, password, name, avatar, role }: CreateUserRequest): Promise<UserResponse> {
    const password_hash = await this.passwords.hash(password);
    const created_at = this.clock.now();
    return this.transactions.run(
      async (em) => {
        await refuseTaken(em, account);
        const id = await nextUserId(em);
        const user: UserEntity = {
          id,
          account,
          account_key: foldCase(account),
          issuer: '',
          external_id: null,
          name,
          name_key: foldCase(name),
          avatar: avatar ?? null,
          profile_at: null,
          role,
          status: USER_ENABLED,
          password_hash,
          created_at,
        };
        await em.insert(UserEntity, user);
        return toUserResponse(user);
      },
      { retryWhenTaken: true },
    );
  }

  /**
   * Changes what is sent. Disabling ends all sessions of the user.
   * @param actor who does it. One who logged in here cannot leave the service without an administrator who can log
   *   in; one with a foreign token may, being an administrator who stays.
   * @throws {BusinessError} USER_NOT_FOUND, ACCOUNT_TAKEN; VALIDATION for the last administrator's role or status
   */
  async change(id: number, body: ChangeUserRequest, actor: Principal): Promise<UserResponse> {
    const changed = await this.transactions.run(
      async (em) => {
        if (!(await em.existsBy(UserEntity, { id }))) throw new BusinessError('USER_NOT_FOUND');
        const lost = actor.sid === undefined ? undefined : losingField(body);
        if (lost !== undefined && (await areLastAdministrators(em, [id])))
          throw invalidField(lost, '取值无效');
        if (body.account !== undefined) await refuseTaken(em, body.account, id);
        const changes = changesOf(body);
        if (Object.keys(changes).length > 0) await em.update(UserEntity, { id }, changes);
        if (body.status === USER_DISABLED) await this.sessions.endAll(em, id);
        return em.findOneByOrFail(UserEntity, { id });
      },
      { retryWhenTaken: true },
    );
    this.admission.forget(id);
    return toUserResponse(changed);
  }

  /**
   * Changes the role or the status of several users, all or none. Disabling ends all their sessions.
   * @param actor as for one
   * @returns how many of them that changes
   * @throws {BusinessError} VALIDATION for nothing to change, `用户不存在: 7, 9`, the last administrators' role or status
   */
  async changeMany({ user_ids: ids, role, status }: ChangeUsersRequest, actor: Principal): Promise<number> {
    const changes = sentFields({ role, status });
    if (Object.keys(changes).length === 0) throw invalidField('status', '字段不能为空');
    const affected = await this.transactions.run(async (em) => {
      const lost = actor.sid === undefined ? undefined : losingField({ role, status });
      const users = await em.findBy(UserEntity, { id: In(ids) });
      requireUsers(ids, users);
      if (lost !== undefined && (await areLastAdministrators(em, ids))) throw invalidField(lost, '取值无效');
      const changed = users.filter(
        (user) => user.role !== (role ?? user.role) || user.status !== (status ?? user.status),
      );
      if (changed.length > 0) await em.update(UserEntity, { id: In(changed.map(({ id }) => id)) }, changes);
      if (status === USER_DISABLED) await this.sessions.endAllOf(em, ids);
      return changed.length;
    });
    for (const id of ids) this.admission.forget(id);
    return affected;
  }
}

/** @throws {BusinessError} VALIDATION `用户不存在: 7, 9` */
function requireUsers(ids: number[], users: UserEntity[]): void {
  const known = new Set(users.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers(unknown) });
}

/** The field by which an administrator would cease to be one who can log in. */
function losingField({ role, status }: ChangeUserRequest): string | undefined {
  if (role === 'user') return 'role';
  return status === USER_DISABLED ? 'status' : undefined;
}

/** Account names compare without case (contract 1.3). */
async function refuseTaken(em: EntityManager, account: string, exceptId = 0): Promise<void> {
  const isTaken = await em.existsBy(UserEntity, { account_key: foldCase(account), id: Not(exceptId) });
  if (isTaken) throw new BusinessError('ACCOUNT_TAKEN');
}

/** The columns that a body changes; TypeORM leaves those alone that are undefined. */
function changesOf({ account, name, avatar, role, status }: ChangeUserRequest): Partial<UserEntity> {
  return {
    ...(account !== undefined && { account, account_key: foldCase(account) }),
    ...(name !== undefined && { name, name_key: foldCase(name) }),
    ...(avatar !== undefined && { avatar }),
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
  };
}
