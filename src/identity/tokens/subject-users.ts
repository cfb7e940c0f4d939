import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ExternalSubject, TokenClaims } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { batch } from '../../common/concurrency/batch';
import { Languages } from '../../common/words/languages';
import { isUniqueViolation } from '../../database/errors';
import { findRows } from '../../database/rows';
import { Transactions } from '../../database/transactions';
import { UserEntity } from '../entities/user.entity';
import { UserActs } from '../events/user-acts';
import { newUserFromClaims, type TokenUser, TOKEN_USER, userOf } from './token-user';
import { insertUser, type NewUser } from '../user-rows.queries';
import { holdUserSequence, nextUserId } from '../users.queries';

/**
 * Where very many come who were not seen lately, such as devices that beat now and then, those of so long share a
 * look-up. Nobody notices the wait, and it is what such a request would cost most.
 */
export const LOOK_UP_REST_MS = 20;

/** The users whom tokens speak for: found, or made at first sight (contract 1.6, 18.1). */
@Injectable()
export class SubjectUsers {
  readonly #byId = batch(
    async (ids) => {
      const users = await findRows(this.dataSource.manager, UserEntity, { id: ids }, TOKEN_USER);
      return new Map(users.map((user) => [user.id, user]));
    },
    undefined,
    LOOK_UP_REST_MS,
  );
  readonly #byText = batch<TokenUser | undefined, ExternalSubject>(
    (subjects) => findExternal(this.dataSource.manager, subjects),
    undefined,
    LOOK_UP_REST_MS,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly languages: Languages,
    private readonly acts: UserActs,
  ) {}

  /** The user of a token; undefined when it is a token of our own, which brings nobody new, and there is none. */
  async findOrCreate(claims: TokenClaims): Promise<TokenUser | undefined> {
    const user = await this.#find(claims);
    if (user !== undefined || claims.sid !== undefined) return user;
    await this.#create(claims);
    return this.#find(claims);
  }

  #find({ subject }: TokenClaims): Promise<TokenUser | undefined> {
    return typeof subject === 'number' ? this.#byId.load(subject) : this.#byText.load(subject);
  }

  #create(claims: TokenClaims): Promise<void> {
    const { subject } = claims;
    return typeof subject === 'number'
      ? this.#createWithId(subject, claims)
      : this.#createWithText(subject, claims);
  }

  async #createWithId(id: number, claims: TokenClaims): Promise<void> {
    const newcomer = this.#newcomer(id, claims);
    try {
      // In a transaction for the sake of its further tries: those who wait for the same id may deadlock.
      await this.transactions.run((em) => this.#insert(em, newcomer));
    } catch (error) {
      // Another request of the same newcomer was faster.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /** Newcomers take turns on the sequence, so that whoever comes second sees the first one's row. */
  #createWithText(subject: ExternalSubject, claims: TokenClaims): Promise<void> {
    return this.transactions.run(
      async (em) => {
        await holdUserSequence(em);
        if ((await findExternal(em, [subject])).has(subject)) return;
        await this.#insert(em, this.#newcomer(await nextUserId(em), claims));
      },
      // A token that names its user by id may have taken the next one.
      { retryWhenTaken: true },
    );
  }

  async #insert(em: EntityManager, newcomer: NewUser): Promise<void> {
    this.acts.created(em, await insertUser(em, newcomer));
  }

  #newcomer(id: number, claims: TokenClaims): NewUser {
    return newUserFromClaims(id, claims, this.clock.now(), this.languages.words);
  }
}

async function findExternal(
  em: EntityManager,
  subjects: ExternalSubject[],
): Promise<Map<ExternalSubject, TokenUser>> {
  const external_id = [...new Set(subjects.map(({ externalId }) => externalId))];
  const issuer = [...new Set(subjects.flatMap(({ issuers }) => issuers))];
  const users = await findRows(em, UserEntity, { external_id, issuer }, TOKEN_USER);
  return new Map(
    subjects.flatMap((subject) => {
      const user = userOf(subject, users);
      return user === undefined ? [] : [[subject, user] as const];
    }),
  );
}
