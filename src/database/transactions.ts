import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { TIMINGS } from '../common/timings';
import { bodyHash } from './idempotency/body-hash';
import type { IdempotencyRecord } from './idempotency/idempotency-record';
import { findCompleted, completeKey, reserveKey } from './idempotency/idempotency-keys.store';
import { type TransactionHooks, setHooks, runBeforeCommit } from './transaction-hooks';
import { ConnectionMutex } from './connection-mutex';
import { isSerializationFailure, isLockTimeout, isUniqueViolation } from './errors';
import { isSqlite } from './sql/dialect';
import { pipeline, trackStatements } from './transaction-statements';

/**
 * Minimum number of attempts after deadlocks and duplicate keys, even if they take longer than
 * `TIMINGS.retryTransactionsForMs`: each may wait for seconds for its caller's turn. Does not apply to lock time-outs,
 * which have waited long themselves.
 */
const MIN_ATTEMPTS = 10;

export interface RunOptions {
  /**
   * Retries when a unique key already exists. For work that queries before it inserts: the next attempt finds the row
   * of the other transaction.
   */
  retryOnDuplicateKey?: boolean;
  /** Fails on a lock time-out instead of retrying. For batches, whose items can then be retried one by one. */
  failOnLockTimeout?: boolean;
  /**
   * All reads see the data of one moment, that of the first read. For transactions that write nothing. SQLite runs one
   * transaction at a time, so there they always do.
   */
  fromSnapshot?: boolean;
}

/** A created object, which is found again by its id. */
export interface HasId {
  id: number;
}

/** `Transactions.run` for the one transaction that creates the object: it also writes the idempotency key. */
export type RunInTransaction = <M extends HasId>(
  work: (em: EntityManager) => Promise<M>,
  options?: RunOptions,
) => Promise<M>;

interface Steps<T> {
  /** Creates the object in a transaction of `run`. Anything else that it awaits must change nothing. */
  create: (run: RunInTransaction) => Promise<T>;
  /** Returns the object of an earlier request in its current state. Throws the usual error if it was deleted. */
  replay: (id: number) => Promise<T>;
}

/**
 * Runs transactions; the only way to make several writes atomic. Inside `run`, await nothing but the given
 * EntityManager. Statements that do not depend on each other's results can run together: with `Promise.all` if their
 * results are needed, otherwise with `pipeline`. They are executed in the order of the calls, and locks are taken in
 * this order; MySQL receives them without a round trip for each. A transaction of which a statement has failed can only
 * be rolled back. A transaction that the database rolled back because of another one (a deadlock) runs again, so `work`
 * must have no side effects besides its writes.
 */
@Injectable()
export class Transactions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mutex: ConnectionMutex,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` in a transaction and returns its result after the commit. Rolls back when `work` throws.
   * @throws {BusinessError} UNAVAILABLE: with `retryOnDuplicateKey`, a unique key already existed in every attempt
   */
  async run<T>(work: (em: EntityManager) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const giveUpAt = Date.now() + TIMINGS.retryTransactionsForMs;
    for (let attempt = 1; ; attempt += 1) {
      const hooks: TransactionHooks[] = [];
      try {
        const result = await this.mutex.guard(() =>
          this.#begin(options, (em) => this.#runOnce(em, work, hooks)),
        );
        for (const { afterCommit } of hooks) afterCommit?.();
        return result;
      } catch (error) {
        if (!isRetryable(error, options)) throw error;
        const mayGiveUp = attempt >= MIN_ATTEMPTS || isLockTimeout(error);
        if (mayGiveUp && Date.now() > giveUpAt) throw toOutage(error);
        await pause(Math.random() * 2 ** Math.min(attempt, 6));
      }
    }
  }

  /** Returns the entity manager for single statements outside a transaction. */
  read(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Creates an object once per idempotency key, even if the request is sent several times or to several instances at
   * the same time. A repeated request returns the object that already exists. A request that is rejected or rolled back
   * leaves its key unused (API 1.8).
   * @param idempotency the request's key; undefined: the object is created on every call
   * @param body the request's body, which is compared by its hash; must contain no secret that can be guessed from the
   * hash
   * @throws {BusinessError} REQUEST_ID_REUSED: the key was used with another body
   */
  async runIdempotent<T>(
    idempotency: IdempotencyRecord | undefined,
    body: object,
    { create, replay }: Steps<T>,
  ): Promise<T> {
    if (idempotency === undefined) return create((work, options) => this.run(work, options));
    const body_hash = bodyHash(body);
    const row = { body_hash, created_at: this.clock.now() };
    const run: RunInTransaction = (work, options) =>
      this.run(async (em) => {
        // Reserves the key first: a concurrent request with the same key waits here, without any other lock. The error
        // is replaced by the earlier result below. The client receives it only if the key has expired in between, and
        // can then retry.
        if (!(await reserveKey(em, idempotency, row))) throw new BusinessError('UNAVAILABLE');
        const created = await work(em);
        pipeline(em, completeKey(em, idempotency, created.id));
        return created;
      }, options);
    try {
      return await create(run);
    } catch (error) {
      // Any error may be the result of an equal request, concurrent or earlier, that has created the object.
      const earlier = await findCompleted(this.read(), idempotency);
      if (earlier === undefined) throw error;
      if (earlier.body_hash !== body_hash) throw new BusinessError('REQUEST_ID_REUSED');
      return replay(earlier.object_id);
    }
  }

  #begin<T>({ fromSnapshot }: RunOptions, work: (em: EntityManager) => Promise<T>): Promise<T> {
    return fromSnapshot && !isSqlite(this.read())
      ? this.dataSource.transaction('REPEATABLE READ', work)
      : this.dataSource.transaction(work);
  }

  async #runOnce<T>(
    em: EntityManager,
    work: (em: EntityManager) => Promise<T>,
    hooks: TransactionHooks[],
  ): Promise<T> {
    const statements = trackStatements(em);
    setHooks(em, hooks);
    try {
      const result = await work(em);
      await runBeforeCommit(hooks, () => this.clock.now());
      await statements.settle();
      return result;
    } catch (error) {
      throw statements.causeOf(error);
    } finally {
      statements.end();
    }
  }
}

/** Converts the last error after all attempts: a duplicate key becomes UNAVAILABLE, the others are outages already. */
const toOutage = (error: unknown): unknown =>
  isUniqueViolation(error) ? new BusinessError('UNAVAILABLE', { cause: error }) : error;

function isRetryable(error: unknown, { retryOnDuplicateKey, failOnLockTimeout }: RunOptions): boolean {
  if (isUniqueViolation(error)) return retryOnDuplicateKey === true;
  return isSerializationFailure(error) && !(failOnLockTimeout === true && isLockTimeout(error));
}
