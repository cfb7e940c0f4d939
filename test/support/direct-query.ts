import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { testEnvironment } from './environment';

/** Runs one statement on the database of a service, bypassing the service. */
export async function queryDatabase<Row>(databaseUrl: string, sql: string): Promise<Row[]> {
  const { database } = loadConfig(testEnvironment(databaseUrl));
  const dataSource = await createDataSource(database).initialize();
  try {
    return await dataSource.query(sql);
  } finally {
    await dataSource.destroy();
  }
}
