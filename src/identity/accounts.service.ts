import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/auth/caller';
import { Clock } from '../common/clock';
import type { IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { Transactions } from '../database/transactions';
import type { CreateUserRequest } from './dto/users.dto';
import type { UserEntity } from './entities/user.entity';
import { refuseKey } from './by-key/key-limits';
import { noteNewUser } from './events/user-audit';
import { Passwords } from './passwords';
import { UserChanges } from './user-changes';
import { insertUser, newAccount } from './user-rows.store';
import { nextUserId, assertAccountFree, assertExternalIdFree } from './users.store';
import { UsersService } from './users.service';

/** Creates users for administrators, API keys and the service itself. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly users: UsersService,
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
      replay: (id) => this.users.get(id),
    });
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
