import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionLease } from './connection-lease';
import { isCollision, isUniqueViolation } from './database-errors';

const RETRY_FOR_MS = 10_000;

interface RunOptions {
  /**
   * Start over when a unique key turns out to be taken: for work that first looks, then inserts, so that the next
   * attempt finds what the other one wrote.
   */
  retryWhenTaken?: boolean;
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
      try {
        return await this.lease.guard(() => this.dataSource.transaction(work));
      } catch (error) {
        const worthAnotherTry =
          isCollision(error) || (options.retryWhenTaken === true && isUniqueViolation(error));
        if (!worthAnotherTry || Date.now() > giveUpAt) throw error;
        await pause(Math.random() * 2 ** Math.min(attempt, 6));
      }
    }
  }
}
