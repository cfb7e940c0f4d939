import { loadDatabaseConfig } from './src/config/database-config';
import { createDataSource } from './src/database/data-source';

/** Data source of TypeORM's command line (`npm run migration:*`): the database of `DATABASE_URL`. */
export default createDataSource(loadDatabaseConfig(process.env));
