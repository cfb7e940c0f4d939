import { Injectable } from '@nestjs/common';
import { SECRET } from '../audit/rules/changed-fields.rules';
import { recordAudit } from '../audit/recording/record-audit';
import type { Principal } from '../common/auth/principal';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import { Transactions } from '../database/transactions';
import type { ChangePasswordRequest, LoginRequest } from './dto/auth.dto';
import { USER_ENABLED, type UserEntity } from './entities/user.entity';
import { loginLimits, oldPasswordLimits, PasswordAttempts } from './password-attempts';
import { Passwords } from './passwords';
import { deleteSessionsOf } from './sessions/sessions.store';
import { TokenAuthenticator } from './tokens/token-authenticator';
import { updatePassword } from './user-rows.store';
import { usersWithHash } from './users.store';

/** Checks and sets passwords. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly attempts: PasswordAttempts,
    private readonly passwords: Passwords,
    private readonly authenticator: TokenAuthenticator,
  ) {}

  /**
   * Returns the enabled user with this account and password, including the password hash; undefined for a wrong pair.
   * The cost is the same whether or not the account exists, so response times do not reveal accounts.
   * @param address the client's address, for the limit on failed attempts
   * @throws {BusinessError} TOO_MANY_REQUESTS
   */
  async verify({ account, password }: LoginRequest, address: string): Promise<UserEntity | undefined> {
    const account_key = foldCase(account);
    const [user] = await usersWithHash(this.transactions.read(), { account_key, status: USER_ENABLED });
    const limits = loginLimits(account_key, address);
    const isRight = await this.attempts.isRight(limits, user?.password_hash ?? null, password);
    return isRight && user ? user : undefined;
  }

  /**
   * Returns the accounts that can log in with this password, in the given order. Failures are not counted, so it must
   * not be called with passwords from requests.
   */
  async accountsWith(password: string, accounts: readonly string[]): Promise<string[]> {
    const where = { account_key: accounts.map(foldCase), status: USER_ENABLED };
    const users = await usersWithHash(this.transactions.read(), where);
    const keys = new Set<string | null>();
    for (const { account_key, password_hash } of users)
      if (await this.passwords.matches(password_hash, password)) keys.add(account_key);
    return accounts.filter((account) => keys.has(foldCase(account)));
  }

  /**
   * Changes the user's own password and ends the user's other sessions (API 2.5).
   * @throws {BusinessError} VALIDATION `old_password 取值无效`, TOO_MANY_REQUESTS
   */
  async change({ id, sid }: Principal, { old_password, new_password }: ChangePasswordRequest): Promise<void> {
    const [user] = await usersWithHash(this.transactions.read(), { id });
    const oldHash = user?.password_hash ?? null;
    const isRight = await this.attempts.isRight(oldPasswordLimits(id), oldHash, old_password);
    if (!isRight || oldHash === null) throw invalidField('old_password', 'invalid');
    await this.#set(
      { id, password_hash: oldHash },
      new_password,
      invalidField('old_password', 'invalid'),
      sid,
    );
  }

  /**
   * Sets the password of a user and ends all sessions of the user.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  async set(id: number, password: string): Promise<void> {
    await this.#set({ id }, password, new BusinessError('USER_NOT_FOUND'));
  }

  /**
   * Sets a password and ends the user's sessions except `exceptSession`. Updates the row only if `where` still matches,
   * so of two concurrent changes with the same old password one fails.
   */
  async #set(
    where: { id: number; password_hash?: string },
    password: string,
    mismatchError: BusinessError,
    exceptSession?: string,
  ): Promise<void> {
    const password_hash = await this.passwords.hash(password);
    await this.transactions.run(async (em) => {
      if (!(await updatePassword(em, where, password_hash))) throw mismatchError;
      const password = { password: SECRET };
      recordAudit(em, { object_id: where.id, before: password, after: password });
      await deleteSessionsOf(em, [where.id], exceptSession);
    });
    this.authenticator.forget(where.id);
  }
}
