import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { OutageDetector } from '../common/errors/outage-detector';
import type { Config } from '../config/config';
import { IdempotencyRetention } from './idempotency/idempotency-retention';
import { ConnectionMetrics } from './connection-metrics';
import { DatabaseProbe } from './database-probe';
import { DatabaseTime } from './database-time';
import { createDataSource } from './data-source';
import { dataSourceOptions } from './data-source-options';
import { ConnectionMutex } from './connection-mutex';
import { limitWaiting } from './mysql/query-runner';
import { isDatabaseOutage } from './errors';
import { migrate } from './migrate';
import { Transactions } from './transactions';

const OUTAGES: OutageDetector = { isOutage: isDatabaseOutage };

/**
 * Connects to the database, migrates it (unless the process is a worker), and provides `Transactions` to all modules and `OutageDetector` to the filter.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(config: Config): DynamicModule {
    const mutex = ConnectionMutex.for(config.database, config.workers);
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // A failed start ends the process immediately, and the process manager restarts it.
          useFactory: () => ({ ...dataSourceOptions(config.database, config.workers), toRetry: () => false }),
          dataSourceFactory: () => open(config, mutex),
        }),
      ],
      providers: [
        { provide: ConnectionMutex, useValue: mutex },
        { provide: OutageDetector, useValue: OUTAGES },
        Transactions,
        ConnectionMetrics,
        DatabaseProbe,
        DatabaseTime,
        IdempotencyRetention,
      ],
      exports: [DatabaseProbe, OutageDetector, Transactions],
    };
  }
}

async function open(
  { database, workers, requestTimeoutSeconds }: Config,
  mutex: ConnectionMutex,
): Promise<DataSource> {
  const dataSource = await createDataSource(database, mutex, workers).initialize();
  try {
    // The primary has migrated before it started workers. A migration needs more connections than a worker may have.
    if (workers === 1) await migrate(dataSource, database);
    // A statement that takes longer than its request may has no use: the client has timed out.
    if (database.type !== 'better-sqlite3')
      limitWaiting(dataSource, mutex, requestTimeoutSeconds * 1000, database.pipelining);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
