import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';
import { type DataSource, QueryResult, type QueryRunner } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { UserEntity } from '../../src/identity/entities/user.entity';
import { createTestDatabase, type TestDatabase } from '../support/database';

/*
 * Undocumented behaviour of TypeORM and mysql2 that `database/mysql/` and `database/connection-metrics.ts` depend on. An
 * upgrade that changes it fails here first, in a test with a specific name.
 */

/** The pool of mysql2, with its private fields. */
interface PoolInternals extends mysql2.Pool {
  _allConnections: { length: number };
  _freeConnections: { length: number };
  _connectionQueue: { length: number };
}

const connectionOf = (pool: mysql2.Pool): Promise<mysql2.PoolConnection> =>
  new Promise((resolve, reject) =>
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
  );

const ask = (connection: mysql2.PoolConnection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) =>
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
  );

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

describe('mysql2', () => {
  let pool: PoolInternals;
  const open = (options: mysql2.PoolOptions = {}): void => {
    const uri = database.url.replace(/^mariadb:/, 'mysql:');
    pool = mysql2.createPool({ uri, connectionLimit: 2, ...options }) as PoolInternals;
  };
  const state = (): number[] => [
    pool._allConnections.length,
    pool._freeConnections.length,
    pool._connectionQueue.length,
  ];
  afterEach(() => new Promise<void>((resolve) => pool.end(() => resolve())));

  it('counts in _allConnections, _freeConnections and _connectionQueue', async () => {
    open();
    expect(state()).toEqual([0, 0, 0]);
    const [one, two] = await Promise.all([connectionOf(pool), connectionOf(pool)]);
    expect(state()).toEqual([2, 0, 0]);
    const third = connectionOf(pool);
    expect(state()).toEqual([2, 0, 1]);
    one.release();
    expect(await third).toBe(one);
    two.release();
    expect(state()).toEqual([2, 1, 0]);
    one.release();
  });

  it('removes a failed connection immediately, and rejects its queue when its stream is destroyed', async () => {
    open();
    const connection = await connectionOf(pool);
    connection.on('error', () => undefined);
    const sleeping = ask(connection, 'SELECT SLEEP(60)');
    const cause = new Error('given up');
    connection.emit('error', cause);
    expect(state()).toEqual([0, 0, 0]);
    (connection as unknown as { stream: Socket }).stream.destroy(cause);
    await expect(sleeping).rejects.toMatchObject({ message: 'given up', fatal: true });
    connection.release();
    expect(state()).toEqual([0, 0, 0]);
  });

  it('emits each new connection before its first query', async () => {
    open();
    pool.on('connection', (connection) => connection.query('SET @told = 7'));
    const connection = await connectionOf(pool);
    expect(await ask(connection, 'SELECT @told AS told')).toEqual([{ told: 7 }]);
    connection.release();
  });

  it('keeps the session of a released connection, with resetOnRelease false', async () => {
    open({ resetOnRelease: false, connectionLimit: 1 });
    const connection = await connectionOf(pool);
    await ask(connection, 'SET @kept = 7');
    connection.release();
    const again = await connectionOf(pool);
    expect(await ask(again, 'SELECT @kept AS kept')).toEqual([{ kept: 7 }]);
    again.release();
  });

  it('fails a query that takes longer than its timeout', async () => {
    open();
    const connection = await connectionOf(pool);
    connection.on('error', () => undefined);
    const late = new Promise((resolve) =>
      connection.query({ sql: 'SELECT SLEEP(60)', timeout: 1 }, (error) => resolve(error?.code)),
    );
    expect(await late).toBe('PROTOCOL_SEQUENCE_TIMEOUT');
    connection.destroy();
  });

  it('rejects without a code when the queue is full or the pool has ended', async () => {
    open({ connectionLimit: 1, queueLimit: 1 });
    const connection = await connectionOf(pool);
    const queued = connectionOf(pool);
    await expect(connectionOf(pool)).rejects.toThrow(/^Queue limit reached\.$/);
    connection.release();
    (await queued).release();
    await new Promise<void>((resolve) => pool.end(() => resolve()));
    await expect(connectionOf(pool)).rejects.toThrow(/^Pool is closed\.$/);
  });

  it('sends a TypedParameter.LONGLONG as an integer, as LIMIT requires', async () => {
    open();
    const rows = new Promise((resolve, reject) =>
      pool.execute(
        'SELECT 1 AS one UNION ALL SELECT 2 LIMIT ?',
        [mysql2.TypedParameter.LONGLONG(1)],
        (error, found) => (error ? reject(error) : resolve(found)),
      ),
    );
    expect(await rows).toEqual([{ one: 1 }]);
  });
});

describe('TypeORM', () => {
  let dataSource: DataSource;
  let driver: MysqlDriver;
  beforeAll(async () => {
    dataSource = await createDataSource(loadDatabaseConfig({ DATABASE_URL: database.url })).initialize();
    driver = dataSource.driver as MysqlDriver;
    await dataSource.query('CREATE TABLE things (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(9))');
  });
  afterAll(() => dataSource?.destroy());

  const withRunner = async <T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> => {
    const runner = dataSource.createQueryRunner();
    try {
      return await work(runner);
    } finally {
      await runner.release();
    }
  };

  it('keeps the pool that the createPool of its driver option returned at driver.pool', () => {
    expect((driver.pool as PoolInternals)._allConnections).toHaveProperty('length');
  });

  it('ends that pool with its end(callback)', async () => {
    const other = await createDataSource(loadDatabaseConfig({ DATABASE_URL: database.url })).initialize();
    const { pool: ended } = other.driver as MysqlDriver;
    await other.destroy();
    await expect(connectionOf(ended as mysql2.Pool)).rejects.toThrow('Pool is closed.');
  });

  it('creates every query runner with driver.createQueryRunner, which can be replaced', async () => {
    const created = jest.spyOn(driver, 'createQueryRunner');
    await dataSource.createQueryRunner().release();
    await dataSource.transaction((em) => em.query('SELECT 1'));
    await dataSource.createQueryBuilder().select('1').from('things', 't').getRawMany();
    expect(created).toHaveBeenCalledTimes(3);
    created.mockRestore();
  });

  it('sends the queries of a manager without a runner through dataSource.query, which can be replaced', async () => {
    const asked = jest.spyOn(dataSource, 'query');
    await dataSource.manager.query('SELECT ?', [1]);
    await dataSource.transaction((em) => em.query('SELECT ?', [2]));
    expect(asked.mock.calls.map(([sql, values, runner]) => [sql, values, runner?.constructor])).toEqual([
      ['SELECT ?', [1], undefined],
      ['SELECT ?', [2], MysqlQueryRunner],
    ]);
    asked.mockRestore();
  });

  it('provides the query runner fields that PooledQueryRunner uses, and separate data', async () => {
    await withRunner(async (runner) => {
      expect(runner).toBeInstanceOf(MysqlQueryRunner);
      expect([runner.data, runner.isReleased, runner.isTransactionActive]).toEqual([{}, false, false]);
      const other = dataSource.createQueryRunner();
      expect(other.data).not.toBe(runner.data);
      const connection: unknown = await runner.connect();
      expect((runner as unknown as { databaseConnection: unknown }).databaseConnection).toBe(connection);
    });
  });

  it('runs a transaction with startTransaction, commitTransaction, rollbackTransaction and release of one runner', async () => {
    const steps: string[] = [];
    const create = driver.createQueryRunner.bind(driver);
    const makesRunners = jest.spyOn(driver, 'createQueryRunner').mockImplementation((mode) => {
      const runner = create(mode);
      for (const step of [
        'startTransaction',
        'commitTransaction',
        'rollbackTransaction',
        'release',
      ] as const) {
        const run = runner[step].bind(runner) as (...args: unknown[]) => Promise<void>;
        runner[step] = (...args: unknown[]) => {
          steps.push(args.some((arg) => arg !== undefined) ? `${step} with arguments` : step);
          return run(...args);
        };
      }
      return runner;
    });
    await dataSource.transaction(async () => undefined);
    await dataSource.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined);
    makesRunners.mockRestore();
    expect(steps).toEqual([
      'startTransaction',
      'commitTransaction',
      'release',
      'startTransaction',
      'rollbackTransaction',
      'release',
    ]);
  });

  it('reads raw, records and affected of a structured result', async () => {
    await withRunner(async (runner) => {
      const read = await runner.query('SELECT 1 AS one', [], true);
      expect(read).toBeInstanceOf(QueryResult);
      expect([read.raw, read.records]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
      const written = await runner.query("INSERT INTO things (name) VALUES ('a'), ('b')", [], true);
      expect([written.affected, written.raw.insertId]).toEqual([2, 1]);
      expect(await runner.query("UPDATE things SET name = 'c' WHERE id = 1")).toMatchObject({
        affectedRows: 1,
      });
    });
  });

  it('converts each column with preparePersistentValue and prepareHydratedValue of its driver', () => {
    const table = dataSource.getMetadata(UserEntity);
    expect([table.tableName, table.target]).toEqual(['users', UserEntity]);
    const id = table.findColumnWithPropertyName('id');
    const moment = table.findColumnWithPropertyName('created_at');
    if (id === undefined || moment === undefined) throw new Error('no such column');
    expect(driver.prepareHydratedValue('7', id)).toBe(7);
    const at = new Date('2026-01-31T08:00:00.123Z');
    expect(driver.preparePersistentValue(at, moment)).toEqual(at);
    expect([moment.databaseName, moment.propertyName]).toEqual(['created_at', 'created_at']);
  });
});
