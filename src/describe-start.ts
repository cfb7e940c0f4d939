import { version } from '../package.json';
import type { Config } from './config/config';
import type { DatabaseConfig } from './config/database-config';

const REDIS = { server: 'Redis', sentinel: 'Redis by Sentinel', cluster: 'Redis Cluster' };

/**
 * Returns the log line at the start: version, address, database, Redis, media provider and address of the documentation
 * (API 16.3).
 */
export function describeStart({ database, media, redis }: Config, url: string): string {
  const parts = [
    databaseName(database),
    ...(redis === undefined ? [] : [REDIS[redis.kind]]),
    `media by ${media.provider}`,
    `described at ${url}/docs`,
  ];
  return `Callboard ${version} is ready at ${url}: ${parts.join(', ')}`;
}

function databaseName(database: DatabaseConfig): string {
  if (database.type === 'better-sqlite3') return `SQLite in ${database.file}`;
  const { type, host, port, database: name } = database;
  const server = type === 'mariadb' ? 'MariaDB' : 'MySQL';
  return `${server} at ${host.includes(':') ? `[${host}]` : host}:${port}/${name}`;
}
