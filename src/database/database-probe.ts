import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { inTime } from '../common/concurrency/in-time';
import { Health, reportAfter } from '../common/health/health';
import { RunRecord } from '../common/health/run-record';
import { Transactions } from './transactions';

const PROBE = 'SELECT 1';
/** Less than any request may take, so that the answer tells what is down. */
const ANSWER_WITHIN_MS = 1_500;

/** Asks the database for a sign of life. */
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
   * Resolves once the database has answered with and without a transaction: on MySQL they have connections of their own.
   * @throws {Error} `no answer` after 1.5 s, or whatever the driver throws
   */
  async ping(): Promise<void> {
    const answers = [this.dataSource.query(PROBE), this.transactions.run((em) => em.query(PROBE))];
    await this.#record.of(inTime(Promise.all(answers), ANSWER_WITHIN_MS));
  }
}
