import { DataSource } from 'typeorm';
import { loadConfig } from './src/config/config';
import { dataSourceOptions } from './src/database/data-source-options';

/** For TypeORM's command line (`npm run migration:*`): the database that `DATABASE_URL` names. */
export default new DataSource(dataSourceOptions(loadConfig(process.env).database));
