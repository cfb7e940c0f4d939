import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/auth/caller';
import { Clock } from '../common/clock';
import type { Creation } from '../database/creations/creation';
import { Transactions } from '../database/transactions';
import type { CreateUserRequest } from './dto/users.dto';
import type { UserEntity } from './entities/user.entity';
import { refuseKey } from './by-key/key-limits';
import { UserActs } from './events/user-acts';
import { noteNewUser } from './events/user-audit';
import { Passwords } from './passwords';
import { insertUser, newAccount } from './user-rows.queries';
import { nextUserId, refuseTaken, refuseTakenExternalId } from './users.queries';
import { UsersService } from './users.service';

/** The administration of users: creating them. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly users: UsersService,
    private readonly acts: UserActs,
  ) {}

  /**
   * Creates a user, who can log in when there is a password; by the same key once.
   * @param caller who asks for it; the service itself when left out
   * @throws {BusinessError} ACCOUNT_TAKEN, EXTERNAL_ID_TAKEN, REQUEST_ID_REUSED; FORBIDDEN for what a key may not do
   */
  async create(body: CreateUserRequest, caller: Caller = {}, creation?: Creation): Promise<UserEntity> {
    const { account, password, external_id = null, name, avatar = null, role } = body;
    refuseKey(caller, password !== undefined || role === 'admin');
    return this.transactions.once(creation, await this.#comparable(body, creation), {
      make: async (run) => {
        const password_hash = password === undefined ? null : await this.passwords.hash(password);
        const created_at = this.clock.now();
        return run(
          async (em) => {
            await refuseTaken(em, account);
            if (external_id !== null) await refuseTakenExternalId(em, external_id);
            const id = await nextUserId(em);
            const about = { account, external_id, name, avatar, role, password_hash, created_at };
            const user = await insertUser(em, newAccount(id, about));
            this.acts.created(em, user);
            noteNewUser(em, user);
            return user;
          },
          { retryWhenTaken: true },
        );
      },
      again: (id) => this.users.get(id),
    });
  }

  /** What may be kept a plain hash of: a password is as hard to guess from this as from its own hash. */
  async #comparable(body: CreateUserRequest, creation: Creation | undefined): Promise<object> {
    const { password, ...told } = body;
    if (creation === undefined || password === undefined) return body;
    return { ...told, password: await this.passwords.digest(password, `${creation.owner} ${creation.key}`) };
  }
}
