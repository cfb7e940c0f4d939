import { availableParallelism } from 'node:os';
import type { DatabaseConfig } from './database-config';
import type { EnvReader } from './env-reader';

/** The workers share the 15 database connections of an instance, and each needs one. */
const MAX_WORKERS = 15;

/**
 * Reads WEB_CONCURRENCY, the number of worker processes. SQLite has one writer, so several processes would only wait
 * for each other.
 */
export function readWorkers(read: EnvReader, { type }: DatabaseConfig): number {
  const isAuto = read.text('WEB_CONCURRENCY') === 'auto';
  const workers = isAuto
    ? Math.min(availableParallelism(), MAX_WORKERS)
    : read.integer('WEB_CONCURRENCY', 1, 1, MAX_WORKERS);
  if (type === 'better-sqlite3' && (isAuto || workers > 1))
    read.problem('WEB_CONCURRENCY must be 1 with SQLite; several processes require MySQL or MariaDB');
  return workers;
}
