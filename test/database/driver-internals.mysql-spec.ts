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
 * What `database/mysql/` and `database/connection-metrics.ts` take for granted of TypeORM and mysql2 and neither of
 * them promises. An upgrade that changes one of these fails here first, by its name.
 */

/** mysql2's pool, with what it keeps for itself. */
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

  it('forgets a connection at once that emits an error, and fails what waits on it when its stream is destroyed', async () => {
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

  it('tells of each new connection before anybody has it, so that what is asked there comes first', async () => {
    open();
    pool.on('connection', (connection) => connection.query('SET @told = 7'));
    const connection = await connectionOf(pool);
    expect(await ask(connection, 'SELECT @told AS told')).toEqual([{ told: 7 }]);
    connection.release();
  });

  it('leaves a session as it is when it is released, with resetOnRelease false', async () => {
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

  it('refuses, without a code, whoever comes when the queue is full or the pool has ended', async () => {
    open({ connectionLimit: 1, queueLimit: 1 });
    const connection = await connectionOf(pool);
    const queued = connectionOf(pool);
    await expect(connectionOf(pool)).rejects.toThrow(/^Queue limit reached\.$/);
    connection.release();
    (await queued).release();
    await new Promise<void>((resolve) => pool.end(() => resolve()));
    await expect(connectionOf(pool)).rejects.toThrow(/^Pool is closed\.$/);
  });

  it('sends a TypedParameter.LONGLONG as an integer, which LIMIT asks for', async () => {
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

  it('keeps at driver.pool the very pool that the createPool of its driver option made', () => {
    expect((driver.pool as PoolInternals)._allConnections).toHaveProperty('length');
  });

  it('ends that pool by its end(callback)', async () => {
    const other = await createDataSource(loadDatabaseConfig({ DATABASE_URL: database.url })).initialize();
    const { pool: ended } = other.driver as MysqlDriver;
    await other.destroy();
    await expect(connectionOf(ended as mysql2.Pool)).rejects.toThrow('Pool is closed.');
  });

  it('makes every query runner by driver.createQueryRunner, which can be replaced', async () => {
    const made = jest.spyOn(driver, 'createQueryRunner');
    await dataSource.createQueryRunner().release();
    await dataSource.transaction((em) => em.query('SELECT 1'));
    await dataSource.createQueryBuilder().select('1').from('things', 't').getRawMany();
    expect(made).toHaveBeenCalledTimes(3);
    made.mockRestore();
  });

  it('asks through dataSource.query, which can be replaced, what a manager without a runner is asked', async () => {
    const asked = jest.spyOn(dataSource, 'query');
    await dataSource.manager.query('SELECT ?', [1]);
    await dataSource.transaction((em) => em.query('SELECT ?', [2]));
    expect(asked.mock.calls.map(([sql, values, runner]) => [sql, values, runner?.constructor])).toEqual([
      ['SELECT ?', [1], undefined],
      ['SELECT ?', [2], MysqlQueryRunner],
    ]);
    asked.mockRestore();
  });

  it('has of a query runner what PooledQueryRunner stands on: its fields, and a data of its own', async () => {
    await withRunner(async (runner) => {
      expect(runner).toBeInstanceOf(MysqlQueryRunner);
      expect([runner.data, runner.isReleased, runner.isTransactionActive]).toEqual([{}, false, false]);
      const other = dataSource.createQueryRunner();
      expect(other.data).not.toBe(runner.data);
      const connection: unknown = await runner.connect();
      expect((runner as unknown as { databaseConnection: unknown }).databaseConnection).toBe(connection);
    });
  });

  it('runs a transaction by startTransaction, commitTransaction, rollbackTransaction and release of one runner', async () => {
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

  it('wants of a query that is asked for a structured result its raw, records and affected', async () => {
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

  it('converts by preparePersistentValue and prepareHydratedValue of its driver, column by column', () => {
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
