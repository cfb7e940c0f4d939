import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere, Repository } from 'typeorm';
import { SECRET } from '../audit/rules/changed-fields';
import { noteAudit } from '../audit/trail/note-audit';
import type { Principal } from '../common/auth/principal';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import type { ChangePasswordRequest, LoginRequest } from './dto/auth.dto';
import { USER_ENABLED, UserEntity } from './entities/user.entity';
import { loginLimits, oldPasswordLimits, PasswordAttempts } from './password-attempts';
import { Passwords } from './passwords';
import { SessionsService } from './sessions/sessions.service';

/** Accounts and their passwords: checking them, and setting new ones. */
@Injectable()
export class CredentialsService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly attempts: PasswordAttempts,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * The enabled user, with the password's hash, behind an account and its password; undefined for any other pair,
   * after the same work whether or not there is such an account.
   * @param address the client's, for the limit on failures
   * @throws {BusinessError} TOO_MANY_REQUESTS
   */
  async verify({ account, password }: LoginRequest, address: string): Promise<UserEntity | undefined> {
    const account_key = foldCase(account);
    const user = await this.#withHash({ account_key, status: USER_ENABLED });
    const limits = loginLimits(account_key, address);
    const isRight = await this.attempts.isRight(limits, user?.password_hash ?? null, password);
    return isRight && user ? user : undefined;
  }

  /**
   * Sets one's own new password; one's other sessions end (contract 2).
   * @throws {BusinessError} VALIDATION `old_password 取值无效`, TOO_MANY_REQUESTS
   */
  async change({ id, sid }: Principal, { old_password, new_password }: ChangePasswordRequest): Promise<void> {
    const oldHash = (await this.#withHash({ id }))?.password_hash ?? null;
    const isRight = await this.attempts.isRight(oldPasswordLimits(id), oldHash, old_password);
    if (!isRight || oldHash === null) throw invalidField('old_password', '取值无效');
    await this.#set(
      { id, password_hash: oldHash },
      new_password,
      invalidField('old_password', '取值无效'),
      sid,
    );
  }

  /**
   * Gives a user a new password; all sessions of the user end.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  async set(id: number, password: string): Promise<void> {
    await this.#set({ id }, password, new BusinessError('USER_NOT_FOUND'));
  }

  /** The condition holds at the moment of the change, so of two changes that know the same old password one fails. */
  async #set(
    where: { id: number; password_hash?: string },
    password: string,
    otherwise: BusinessError,
    exceptSession?: string,
  ): Promise<void> {
    const password_hash = await this.passwords.hash(password);
    const change = async (em: EntityManager): Promise<void> => {
      const { affected } = await em.update(UserEntity, where, { password_hash });
      if (affected !== 1) throw otherwise;
      const password = { password: SECRET };
      noteAudit(em, { object_id: where.id, before: password, after: password });
    };
    await this.sessions.endAllWith(where.id, change, exceptSession);
  }

  #withHash(where: FindOptionsWhere<UserEntity>): Promise<UserEntity | null> {
    return this.users.createQueryBuilder('u').addSelect('u.password_hash').where(where).getOne();
  }
}
