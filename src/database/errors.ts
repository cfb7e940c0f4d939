import { QueryFailedError } from 'typeorm';

/** The database gave no answer in time. */
export class DatabaseSilent extends Error {}

/** What a driver throws: mysql2 marks as `fatal` what ends the connection. */
interface DriverError {
  code?: unknown;
  fatal?: boolean;
}

const driverErrorOf = (error: unknown): DriverError | undefined =>
  (error instanceof QueryFailedError ? error.driverError : error) as DriverError | undefined;

/** The driver's own code of a database error, such as `ER_DUP_ENTRY` or `SQLITE_BUSY`. */
function codeOf(error: unknown): string {
  const code = driverErrorOf(error)?.code;
  return typeof code === 'string' ? code : '';
}

const UNIQUE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const COLLISION = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY_SNAPSHOT',
]);
/** Beginnings of codes: SQLite's come with extensions, such as SQLITE_IOERR_WRITE. */
const OUTAGE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_',
  'ER_CON_COUNT_ERROR',
  'ER_USER_LIMIT_REACHED',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_QUERY_INTERRUPTED',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_DEADLOCK',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_BUSY',
];

/** Of these, those that refuse what would be written; what is there can still be read. */
const WRITE_REFUSALS = [
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_READONLY',
];

/** What mysql2's pool says, without a code: more wait for a connection than may; the service stops. */
const POOL_REFUSALS = new Set(['Queue limit reached.', 'Pool is closed.']);

/** A unique or primary key was already taken. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE.has(codeOf(error));

/** Two transactions were in each other's way and this one was rolled back: worth another try as it is. */
export const isCollision = (error: unknown): boolean => COLLISION.has(codeOf(error));

/** It has waited long for what another transaction holds, and in vain. */
export const isHeld = (error: unknown): boolean => codeOf(error) === 'ER_LOCK_WAIT_TIMEOUT';

/** Another process is using the SQLite file just now. */
export const isFileLocked = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Nothing can be written at the moment: the disk is full, or the database is for reading only. */
export const isWriteRefused = (error: unknown): boolean =>
  WRITE_REFUSALS.some((beginning) => codeOf(error).startsWith(beginning));

/** The database cannot be used at the moment. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof DatabaseSilent) return true;
  if (error instanceof Error && POOL_REFUSALS.has(error.message)) return true;
  // A query on a connection that has just been lost fails without a code.
  if (driverErrorOf(error)?.fatal === true) return true;
  const isDatabases = error instanceof QueryFailedError || 'errno' in Object(error);
  const code = codeOf(error);
  return isDatabases && OUTAGE.some((beginning) => code.startsWith(beginning));
}

/** Of what several wanted together one alone may be to blame, or wait for what another transaction holds. */
export const isOnesFault = (error: unknown): boolean => !isDatabaseOutage(error) || isCollision(error);
