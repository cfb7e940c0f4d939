import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionLease } from './sqlite/lease';
import { isCollision, isUniqueViolation } from './errors';

const RETRY_FOR_MS = 10_000;
/** Where a transaction's query runner keeps them. */
const ENDINGS = 'endings';

export interface RunOptions {
  /**
   * Start over when a unique key turns out to be taken: for work that first looks, then inserts, so that the next
   * attempt finds what the other one wrote.
   */
  retryWhenTaken?: boolean;
}

/** What a part of a transaction leaves for its end. */
export interface Ending {
  /** The last writes, after all others. */
  write: () => Promise<void>;
  /** What follows once everything is committed; it must not throw. */
  committed: () => void;
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
  ) {}

  /** What `work` returns, after its commit; nothing of it is kept when it throws. */
  async run<T>(work: (em: EntityManager) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const giveUpAt = Date.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt += 1) {
      const endings: Ending[] = [];
      try {
        const result = await this.lease.guard(() =>
          this.dataSource.transaction((em) => this.#runOnce(em, work, endings)),
        );
        for (const { committed } of endings) committed();
        return result;
      } catch (error) {
        const worthAnotherTry =
          isCollision(error) || (options.retryWhenTaken === true && isUniqueViolation(error));
        if (!worthAnotherTry || Date.now() > giveUpAt) throw error;
        await pause(Math.random() * 2 ** Math.min(attempt, 6));
      }
    }
  }

  /**
   * Leaves something for the end of the running transaction.
   * @throws {Error} when `em` belongs to no transaction of `run`
   */
  atEnd(em: EntityManager, ending: Ending): void {
    const endings = em.queryRunner?.data[ENDINGS] as Ending[] | undefined;
    if (endings === undefined) throw new Error('Not inside a transaction of Transactions.run');
    endings.push(ending);
  }

  async #runOnce<T>(
    em: EntityManager,
    work: (em: EntityManager) => Promise<T>,
    endings: Ending[],
  ): Promise<T> {
    if (em.queryRunner) em.queryRunner.data[ENDINGS] = endings;
    const result = await work(em);
    for (const { write } of endings) await write();
    return result;
  }
}
