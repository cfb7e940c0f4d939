import { QueryFailedError } from 'typeorm';

/** The driver's own code of a database error, such as `ER_DUP_ENTRY` or `SQLITE_BUSY`. */
function codeOf(error: unknown): string {
  const source = error instanceof QueryFailedError ? error.driverError : error;
  const code = (source as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

const UNIQUE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const COLLISION = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
]);
const OUTAGE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/** A unique or primary key was already taken. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE.has(codeOf(error));

/** Two transactions were in each other's way and this one was rolled back: worth another try as it is. */
export const isCollision = (error: unknown): boolean => COLLISION.has(codeOf(error));

/** The database cannot be used at the moment. */
export const isDatabaseOutage = (error: unknown): boolean => {
  const isDatabases =
    error instanceof QueryFailedError || (error as { fatal?: boolean } | undefined)?.fatal === true;
  return isDatabases && (OUTAGE.has(codeOf(error)) || isCollision(error));
};
