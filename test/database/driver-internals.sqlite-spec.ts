import { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { dataSourceOptions } from '../../src/database/data-source-options';
import { UserEntity } from '../../src/identity/entities/user.entity';

/*
 * Undocumented behaviour of TypeORM that `database/sqlite/` and `database/sql/statements.ts` depend on. An upgrade that
 * changes it fails here first, in a test with a specific name.
 */

describe('TypeORM on SQLite', () => {
  let dataSource: DataSource;
  let driver: BetterSqlite3Driver;
  beforeAll(async () => {
    const options = dataSourceOptions({ type: 'better-sqlite3', file: ':memory:' });
    dataSource = await new DataSource({ ...options, entities: [UserEntity] }).initialize();
    driver = dataSource.driver as BetterSqlite3Driver;
  });
  afterAll(() => dataSource?.destroy());

  /** The statements of the query runners that `work` uses, each with the depth of transactions after it. */
  async function statementsOf(work: () => Promise<unknown>): Promise<[sql: string, depth: number][]> {
    const statements: [string, number][] = [];
    const makesRunners = jest.spyOn(driver, 'createQueryRunner').mockImplementation(
      () =>
        new (class extends BetterSqlite3QueryRunner {
          override async query<T>(sql: string, parameters?: unknown[], structured?: boolean): Promise<T> {
            statements.push([sql, this.transactionDepth]);
            return super.query(sql, parameters, structured);
          }
        })(driver),
    );
    await work().catch(() => undefined);
    makesRunners.mockRestore();
    return statements;
  }

  it('creates a query runner with driver.createQueryRunner for each use, and begins and ends with its query', async () => {
    expect(await statementsOf(() => dataSource.transaction((em) => em.query('SELECT 1')))).toEqual([
      ['BEGIN TRANSACTION', 0],
      ['SELECT 1', 1],
      ['COMMIT', 1],
    ]);
    const failing = (): Promise<never> => dataSource.transaction(() => Promise.reject(new Error('no')));
    expect(await statementsOf(failing)).toEqual([
      ['BEGIN TRANSACTION', 0],
      ['ROLLBACK', 1],
    ]);
    expect(await statementsOf(() => dataSource.query('SELECT 2'))).toEqual([['SELECT 2', 0]]);
  });

  it('parses a statement once, on the connection that prepareDatabase receives', async () => {
    await dataSource.query('SELECT 3 AS three');
    const connection = driver.databaseConnection as { prepare(sql: string): object };
    const prepared = connection.prepare('SELECT 3 AS three');
    // Compared here, because the contents of a native object cannot be printed.
    expect(connection.prepare('SELECT 3 AS three') === prepared).toBe(true);
    expect(connection.prepare('SELECT 4 AS four') === prepared).toBe(false);
    await dataSource.query('CREATE TABLE grown (id INTEGER PRIMARY KEY)');
    await dataSource.query('INSERT INTO grown (id) VALUES (7)');
    expect(await dataSource.query('SELECT * FROM grown')).toEqual([{ id: 7 }]);
    await dataSource.query("ALTER TABLE grown ADD COLUMN name TEXT NOT NULL DEFAULT 'x'");
    expect(await dataSource.query('SELECT * FROM grown')).toEqual([{ id: 7, name: 'x' }]);
  });

  it('returns the inserted id, and the number of affected rows for a structured change', async () => {
    await dataSource.query('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
    expect(Number(await dataSource.query("INSERT INTO things (name) VALUES ('a')"))).toBe(1);
    const runner = dataSource.createQueryRunner();
    expect(await runner.query("UPDATE things SET name = 'b'", [], true)).toMatchObject({ affected: 1 });
  });

  it('closes with driver.disconnect, which can be replaced, and keeps its connection in databaseConnection', async () => {
    const options = dataSourceOptions({ type: 'better-sqlite3', file: ':memory:' });
    const other = await new DataSource({ ...options, entities: [] }).initialize();
    const closing = jest.spyOn(other.driver as BetterSqlite3Driver, 'disconnect');
    const { databaseConnection } = other.driver as BetterSqlite3Driver;
    expect((databaseConnection as { pragma(name: string): unknown }).pragma('secure_delete')).toEqual([
      { secure_delete: 1 },
    ]);
    await other.destroy();
    expect(closing).toHaveBeenCalledTimes(1);
  });

  it('reads column types with driver.normalizeType, which can be replaced', async () => {
    const asked = jest.spyOn(driver, 'normalizeType');
    await driver.createSchemaBuilder().log();
    expect(asked.mock.calls.map(([{ type }]) => type)).toEqual(
      expect.arrayContaining(['bigint', 'datetime']),
    );
    asked.mockRestore();
  });

  it('converts each column with preparePersistentValue and prepareHydratedValue of its driver', () => {
    const column = dataSource.getMetadata(UserEntity).findColumnWithPropertyName('created_at');
    if (column === undefined) throw new Error('no such column');
    const at = new Date('2026-01-31T08:00:00.123Z');
    expect(driver.preparePersistentValue(at, column)).toBe('2026-01-31 08:00:00.123');
    expect(driver.prepareHydratedValue('2026-01-31 08:00:00.123', column)).toEqual(at);
  });
});
