import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadDatabaseConfig } from './src/config/database-config';
import { createDataSource } from './src/database/data-source';

const SOURCES = join(__dirname, 'src');

for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }))
  if (/\.entity\.[jt]s$/.test(file)) require(join(SOURCES, file));

/**
 * Data source of TypeORM's command line (`npm run migration:*`): the database of `DATABASE_URL`, with the entities of all
 * modules.
 */
export default createDataSource(loadDatabaseConfig(process.env));
