import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from './transactions';

const PROBE = 'SELECT 1';

/** Asks the database for a sign of life. */
@Injectable()
export class DatabaseProbe {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Resolves once the database has answered with and without a transaction: on MySQL they have connections of their own.
   * @throws whatever the driver throws
   */
  async ping(): Promise<void> {
    await Promise.all([this.dataSource.query(PROBE), this.transactions.run((em) => em.query(PROBE))]);
  }
}
