import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { withTimeout } from '../common/concurrency/with-timeout';
import { Health, reportAfter } from '../common/health/health';
import { RunRecord } from '../common/health/run-record';
import { Transactions } from './transactions';

const PROBE = 'SELECT 1';
/**
 * Shorter than the time limit of any request, so that the health report itself arrives and names the database as down.
 */
const TIMEOUT_MS = 1_500;

/** Checks whether the database responds. */
@Injectable()
export class DatabaseProbe {
  readonly #record: RunRecord;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    clock: Clock,
    health: Health,
  ) {
    this.#record = new RunRecord(() => clock.now());
    health.register('database', () => reportAfter(this.ping(), this.#record));
  }

  /**
   * Resolves when the database has answered both inside and outside a transaction: on MySQL each has its own slots.
   * @throws {Error} `timed out after 1500 ms`, or the driver's error
   */
  async ping(): Promise<void> {
    const answers = [this.dataSource.query(PROBE), this.transactions.run((em) => em.query(PROBE))];
    await this.#record.of(withTimeout(Promise.all(answers), TIMEOUT_MS));
  }
}
