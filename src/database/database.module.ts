import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from '../config/config';
import { ConnectionLease } from './connection-lease';
import { dataSourceOptions } from './data-source-options';
import { leaseConnection } from './leased-query-runner';
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
          useFactory: () => dataSourceOptions(database),
          dataSourceFactory: (options) => open(database, options as DataSourceOptions, lease),
        }),
      ],
      providers: [{ provide: ConnectionLease, useValue: lease }, Transactions],
      exports: [Transactions],
    };
  }
}

async function open(
  database: DatabaseConfig,
  options: DataSourceOptions,
  lease: ConnectionLease,
): Promise<DataSource> {
  const dataSource = new DataSource(options);
  if (database.type === 'better-sqlite3') {
    if (database.file !== ':memory:') mkdirSync(dirname(database.file), { recursive: true });
    leaseConnection(dataSource, lease);
  }
  await dataSource.initialize();
  await migrate(dataSource, database);
  return dataSource;
}
