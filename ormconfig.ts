import { loadDatabaseConfig } from './src/config/database-config';
import { createDataSource } from './src/database/data-source';

/** For TypeORM's command line (`npm run migration:*`): the database that `DATABASE_URL` names. */
export default createDataSource(loadDatabaseConfig(process.env));
