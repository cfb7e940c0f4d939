import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ExternalSubject, TokenClaims } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { Catalogues } from '../../common/i18n/catalogues';
import { CONFIG, type Config } from '../../config/config';
import { isUniqueViolation } from '../../database/errors';
import { Transactions } from '../../database/transactions';
import { newUserFromClaims, profileFrom, userOf } from './token-user';
import { UserChanges } from '../user-changes';
import { changeUser, insertUser, lockUser, type NewUser } from '../user-rows.store';
import { lockUserSequence, nextUserId, type TokenUser, tokenUsers } from '../users.store';

/**
 * Minimum time between the starts of two look-up queries. When very many users arrive who are not cached, such as
 * devices with rare heartbeats, their look-ups of this period share a query: the look-up is the most expensive part of
 * such a request, and the delay is not noticeable.
 */
export const LOOK_UP_REST_MS = 20;

/**
 * Finds the user of a token and creates it if it does not exist. Updates names and pictures from provider tokens if
 * `PROFILE_SOURCE` is `token` (API 2.3).
 */
@Injectable()
export class UserProvisioning {
  readonly #byId = queryBatcher(
    async (ids) => {
      const users = await tokenUsers(this.transactions.read(), { id: ids });
      return new Map(users.map((user) => [user.id, user]));
    },
    undefined,
    LOOK_UP_REST_MS,
  );
  readonly #byExternalId = queryBatcher<TokenUser | undefined, ExternalSubject>(
    (subjects) => findExternal(this.transactions.read(), subjects),
    undefined,
    LOOK_UP_REST_MS,
  );

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly languages: Catalogues,
    private readonly changes: UserChanges,
  ) {}

  /**
   * Returns the user of a token, and creates the user of a provider's token. Returns undefined for a token of this
   * service whose user does not exist: such tokens create no users.
   */
  async findOrCreate(claims: TokenClaims): Promise<TokenUser | undefined> {
    const user = await this.#find(claims);
    if (user !== undefined || claims.sid !== undefined) return user;
    await this.#create(claims);
    return this.#find(claims);
  }

  /**
   * Returns whether a token is newer than the one from which name and picture were taken.
   * @param takenAt issue time of that token, in ms since 1970; null without one
   */
  hasNewerProfile({ issuedAt }: TokenClaims, takenAt: number | null): boolean {
    const isEnabled = this.config.auth.provider.profileSource === 'token';
    return isEnabled && issuedAt !== undefined && issuedAt > (takenAt ?? 0);
  }

  /**
   * Stores name and picture of a token, unless a newer token was stored meanwhile. Returns the issue time of the stored
   * token, in ms since 1970.
   */
  takeProfile(id: number, claims: TokenClaims): Promise<number | null> {
    return this.transactions.run(async (em) => {
      const locked = await lockUser(em, id);
      if (!this.hasNewerProfile(claims, locked.profile_at)) return locked.profile_at;
      const profile_at = claims.issuedAt ?? null;
      // The issue time is stored even if nothing else differs: an older token that arrives later must not undo the
      // profile.
      const changed = await changeUser(em, locked, { ...profileFrom(claims), profile_at });
      await this.changes.updated(em, changed, claims.role);
      return profile_at;
    });
  }

  #find({ subject }: TokenClaims): Promise<TokenUser | undefined> {
    return typeof subject === 'number' ? this.#byId.load(subject) : this.#byExternalId.load(subject);
  }

  #create(claims: TokenClaims): Promise<void> {
    const { subject } = claims;
    return typeof subject === 'number'
      ? this.#createWithId(subject, claims)
      : this.#createWithExternalId(subject, claims);
  }

  async #createWithId(id: number, claims: TokenClaims): Promise<void> {
    const newUser = this.#newUser(id, claims);
    try {
      // In a transaction because it is retried: concurrent inserts of the same id may deadlock.
      await this.transactions.run((em) => this.#insert(em, newUser));
    } catch (error) {
      // A concurrent request created the same user first.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /**
   * Creates the user of an external id. The lock on the user sequence serialises these transactions, so the second one
   * sees the row of the first.
   */
  #createWithExternalId(subject: ExternalSubject, claims: TokenClaims): Promise<void> {
    return this.transactions.run(
      async (em) => {
        await lockUserSequence(em);
        if ((await findExternal(em, [subject])).has(subject)) return;
        await this.#insert(em, this.#newUser(await nextUserId(em), claims));
      },
      // A token with a numeric `sub` may have used the next id of the sequence.
      { retryOnDuplicateKey: true },
    );
  }

  async #insert(em: EntityManager, newUser: NewUser): Promise<void> {
    this.changes.created(em, await insertUser(em, newUser));
  }

  #newUser(id: number, claims: TokenClaims): NewUser {
    return newUserFromClaims(id, claims, this.clock.now(), this.languages.catalogue);
  }
}

async function findExternal(
  em: EntityManager,
  subjects: ExternalSubject[],
): Promise<Map<ExternalSubject, TokenUser>> {
  const external_id = [...new Set(subjects.map(({ externalId }) => externalId))];
  const issuer = [...new Set(subjects.flatMap(({ issuers }) => issuers))];
  const users = await tokenUsers(em, { external_id, issuer });
  return new Map(
    subjects.flatMap((subject) => {
      const user = userOf(subject, users);
      return user === undefined ? [] : [[subject, user] as const];
    }),
  );
}
