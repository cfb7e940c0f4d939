import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/config';
import { ConnectionLease } from './connection-lease';
import { ConnectionMetrics } from './connection-metrics';
import { createDataSource } from './data-source';
import { dataSourceOptions } from './data-source-options';
import { migrate } from './migrate';
import { Transactions } from './transactions';

/** Connects to the database, migrates it, and provides `Transactions` to every module. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(database: DatabaseConfig): DynamicModule {
    const lease = new ConnectionLease();
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // A start that fails says so at once; whoever runs the service starts it again.
          useFactory: () => ({ ...dataSourceOptions(database), retryAttempts: 0 }),
          dataSourceFactory: () => open(database, lease),
        }),
      ],
      providers: [{ provide: ConnectionLease, useValue: lease }, Transactions, ConnectionMetrics],
      exports: [Transactions],
    };
  }
}

async function open(database: DatabaseConfig, lease: ConnectionLease): Promise<DataSource> {
  const dataSource = await createDataSource(database, lease).initialize();
  try {
    await migrate(dataSource, database);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
