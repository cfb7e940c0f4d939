import { QueryFailedError } from 'typeorm';
import {
  DatabaseTimeoutError,
  isSerializationFailure,
  isDatabaseOutage,
  isDemotion,
  isFileLocked,
  isItemFailure,
  isUniqueViolation,
  isWriteRefused,
} from './errors';

const failed = (code: string): QueryFailedError =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error(code), { code }));

/** An error for which mysql2 knows no code. */
const failedByNumber = (errno: number): QueryFailedError =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error(`${errno}`), { code: undefined, errno }));

describe('Database errors', () => {
  it.each(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])(
    '%s is a unique violation',
    (code) => {
      expect(isUniqueViolation(failed(code))).toBe(true);
      expect(isDatabaseOutage(failed(code))).toBe(false);
    },
  );

  it.each([
    'ER_LOCK_DEADLOCK',
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_CHECKREAD',
    'ER_TRANSACTION_ROLLBACK_DURING_COMMIT',
  ])('%s is a serialization failure and an outage', (code) => {
    expect([isSerializationFailure(failed(code)), isDatabaseOutage(failed(code))]).toEqual([true, true]);
  });

  it.each([
    ['ER_LOCK_WAIT_TIMEOUT', true],
    ['ER_DUP_ENTRY', true],
    ['ER_SIGNAL_EXCEPTION', true],
    ['ECONNRESET', false],
    ['ER_DISK_FULL', false],
  ])('%s may be caused by one item of a batch: %s', (code, ones) =>
    expect(isItemFailure(failed(code))).toBe(ones),
  );

  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY'])(
    '%s is a locked file and an outage',
    (code) => {
      expect([isFileLocked(failed(code)), isDatabaseOutage(failed(code))]).toEqual([true, true]);
    },
  );

  it.each([
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_READONLY_DBMOVED',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_DISK_FULL',
    'ER_UNKNOWN_COM_ERROR',
    'ER_RUN_HOOK_ERROR',
    'ER_ERROR_DURING_COMMIT',
    'ER_MAX_PREPARED_STMT_COUNT_REACHED',
    'ER_SERVER_OFFLINE_MODE',
    'ER_SERVER_ISNT_AVAILABLE',
    'ER_CLIENT_INTERACTION_TIMEOUT',
    'PROTOCOL_CONNECTION_LOST',
  ])('%s makes the database unavailable', (code) => expect(isDatabaseOutage(failed(code))).toBe(true));

  it.each([
    ['SQLITE_FULL', true],
    ['SQLITE_IOERR_WRITE', true],
    ['SQLITE_IOERR_READ', false],
    ['SQLITE_READONLY_DBMOVED', true],
    ['ER_OPTION_PREVENTS_STATEMENT', true],
    ['ER_DISK_FULL', true],
    ['PROTOCOL_CONNECTION_LOST', false],
    ['SQLITE_BUSY', false],
  ])('%s refuses writes, but not reads: %s', (code, only) => expect(isWriteRefused(failed(code))).toBe(only));

  it.each([8002, 8022, 8028, 9007])('TiDB error %i is a serialization failure and an outage', (errno) => {
    const error = failedByNumber(errno);
    expect([isSerializationFailure(error), isDatabaseOutage(error)]).toEqual([true, true]);
  });

  it.each([1927, 9001, 9002, 9003, 9004, 9005])(
    'error %i, for which the driver has no code, is an outage',
    (errno) => {
      const error = failedByNumber(errno);
      expect([isSerializationFailure(error), isDatabaseOutage(error)]).toEqual([false, true]);
    },
  );

  it.each([
    ['ER_OPTION_PREVENTS_STATEMENT', true],
    ['ER_READ_ONLY_MODE', true],
    ['ER_UNKNOWN_COM_ERROR', true],
    ['ER_DISK_FULL', false],
    ['ER_SERVER_SHUTDOWN', false],
    ['SQLITE_READONLY', false],
  ])('%s is a demotion of the server: %s', (code, isDemoted) =>
    expect(isDemotion(failed(code))).toBe(isDemoted),
  );

  it('a failed connection attempt is an outage', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', errno: -111 });
    expect(isDatabaseOutage(refused)).toBe(true);
  });

  it('a query on a lost connection is an outage, although it has no code', () => {
    const closed = Object.assign(new Error("Can't add new command when connection is in closed state"), {
      fatal: true,
    });
    expect(isDatabaseOutage(closed)).toBe(true);
    expect(isDatabaseOutage(new QueryFailedError('SELECT 1', [], closed))).toBe(true);
  });

  it.each([
    new Error('Queue limit reached.'),
    new Error('Pool is closed.'),
    new DatabaseTimeoutError('No connection within 10000 ms'),
  ])('%s is an outage', (error) => expect(isDatabaseOutage(error)).toBe(true));

  it.each([
    failed('ER_PARSE_ERROR'),
    failedByNumber(8000),
    failed('SQLITE_ERROR'),
    new Error('ECONNREFUSED'),
    'ECONNREFUSED',
    undefined,
    null,
  ])('any other error is not an outage', (error) => expect(isDatabaseOutage(error)).toBe(false));
});
