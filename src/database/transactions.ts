import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { bodyHash } from './creations/body-hash';
import type { Creation } from './creations/creation';
import { findMade, noteMade, takeKey } from './creations/creation-keys';
import { atEnd, type Ending, gather, type Gathering, keepEndings, writeEndings } from './endings';
import { ConnectionLease } from './lease';
import { isCollision, isHeld, isUniqueViolation } from './errors';

const RETRY_FOR_MS = 10_000;
/**
 * Minimum number of attempts after deadlocks and taken keys, even if they take longer: each may wait for seconds for its caller's turn.
 * A lock time-out has waited long by itself.
 */
const MIN_ATTEMPTS = 10;

export interface RunOptions {
  /**
   * Start over when a unique key turns out to be taken: for work that first looks, then inserts, so that the next
   * attempt finds what the other one wrote.
   */
  retryWhenTaken?: boolean;
  /**
   * Fail when it has waited in vain for what another transaction holds, and do not start over: for work of several, who can
   * each do without the others.
   */
  failWhenHeld?: boolean;
}

/** What is made: it is found again by its id. */
export interface Made {
  id: number;
}

/** `Transactions.run`, for the one transaction that makes something: the key is written in it. */
export type MakeIn = <M extends Made>(
  work: (em: EntityManager) => Promise<M>,
  options?: RunOptions,
) => Promise<M>;

interface Steps<T> {
  /** Makes it, in a transaction of `run`; what is awaited besides must change nothing. */
  make: (run: MakeIn) => Promise<T>;
  /** What was made before, as it is now; throws the error of its kind where it is gone. */
  again: (id: number) => Promise<T>;
}

/**
 * The one seam through which several writes become one. House rule: inside `run`, await nothing but the given
 * EntityManager. A transaction that the database rolled back because of another one (a deadlock) is run again, so
 * `work` must have no effect but its writes.
 */
@Injectable()
export class Transactions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lease: ConnectionLease,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` in a transaction and returns its result after the commit. Rolls back when `work` throws.
   * @throws {BusinessError} UNAVAILABLE: other transactions took its unique keys in each attempt
   */
  async run<T>(work: (em: EntityManager) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const giveUpAt = Date.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt += 1) {
      const endings: Ending[] = [];
      try {
        const result = await this.lease.guard(() =>
          this.dataSource.transaction((em) => this.#runOnce(em, work, endings)),
        );
        for (const { committed } of endings) committed?.();
        return result;
      } catch (error) {
        if (!isWorthAnotherTry(error, options)) throw error;
        const hasTried = attempt >= MIN_ATTEMPTS || isHeld(error);
        if (hasTried && Date.now() > giveUpAt) throw toOutage(error);
        await pause(Math.random() * 2 ** Math.min(attempt, 6));
      }
    }
  }

  /**
   * What a request makes, or has made before by the same key, however often it is sent, and to however many instances at
   * once. What is refused, or rolled back, leaves the key free (contract 13.1).
   * @param creation the request's key; without one it is made each time
   * @param body what the request says; of secrets nothing that could be guessed from its hash
   * @throws {BusinessError} REQUEST_ID_REUSED: the key was used with another body
   */
  async once<T>(creation: Creation | undefined, body: object, { make, again }: Steps<T>): Promise<T> {
    if (creation === undefined) return make((work, options) => this.run(work, options));
    const body_hash = bodyHash(body);
    const row = { body_hash, created_at: this.clock.now() };
    const run: MakeIn = (work, options) =>
      this.run(async (em) => {
        // First of all: whoever comes second waits here, and holds nothing that others need.
        if (!(await takeKey(em, creation, row))) throw new KeyTaken();
        const made = await work(em);
        await noteMade(em, creation, made.id);
        return made;
      }, options);
    try {
      return await make(run);
    } catch (error) {
      // Whatever it was refused for may be what an equal request has made meanwhile, or long ago.
      const earlier = await findMade(this.dataSource.manager, creation);
      if (earlier === undefined) throw error;
      if (earlier.body_hash !== body_hash) throw new BusinessError('REQUEST_ID_REUSED');
      return again(earlier.object_id);
    }
  }

  /**
   * Leaves something for the end of the running transaction.
   * @throws {Error} when `em` belongs to no transaction of `run`
   */
  atEnd(em: EntityManager, ending: Ending): void {
    atEnd(em, ending);
  }

  /**
   * What the running transaction gathers for its end under a name, and leaves there as `atEnd` does: begun by the first
   * who asks for it, and the same for all others. Who writes so comes last in the order of locks.
   * @throws {Error} when `em` belongs to no transaction of `run`
   */
  gather<T>(em: EntityManager, name: string, begin: () => Gathering<T>): T {
    return gather(em, name, begin);
  }

  async #runOnce<T>(
    em: EntityManager,
    work: (em: EntityManager) => Promise<T>,
    endings: Ending[],
  ): Promise<T> {
    keepEndings(em, endings);
    const result = await work(em);
    await writeEndings(endings, () => this.clock.now());
    return result;
  }
}

/** Of the errors that are worth another try, a taken key is the one that is no outage by itself. */
const toOutage = (error: unknown): unknown =>
  isUniqueViolation(error) ? new BusinessError('UNAVAILABLE', { cause: error }) : error;

function isWorthAnotherTry(error: unknown, { retryWhenTaken, failWhenHeld }: RunOptions): boolean {
  if (isUniqueViolation(error)) return retryWhenTaken === true;
  return isCollision(error) && !(failWhenHeld === true && isHeld(error));
}

/** Seen by nobody, unless the key's days end at this very moment: another try then makes it. */
class KeyTaken extends BusinessError {
  constructor() {
    super('UNAVAILABLE');
  }
}
