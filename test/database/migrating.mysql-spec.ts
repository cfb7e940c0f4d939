import { QueryFailedError, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations';
import { underLease } from '../../src/database/mysql/migration-lease';
import { POOL_SIZE } from '../../src/database/mysql/pool';
import { createMigratedDatabase } from '../support/migrated-database';
import { createTestDatabase, onServer, type TestDatabase } from '../support/database';
import { eventually } from '../support/service-process';

const FORMER_LOCK = "SHA1(CONCAT('callboard_migrations:', DATABASE()))";
const CREATE_LEASE =
  'CREATE TABLE migration_lease (id tinyint NOT NULL PRIMARY KEY, holder char(36) NOT NULL, expires_at datetime(3) NOT NULL)';
const TIMES = { leaseMs: 60_000, renewEveryMs: 10, retryEveryMs: 5, giveUpAfterMs: 60_000 };

describe('Migrating MySQL', () => {
  let database: TestDatabase;
  let opened: DataSource[];
  beforeEach(async () => {
    database = await createTestDatabase();
    opened = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(opened.map((dataSource) => dataSource.destroy()));
    await database.drop();
  });

  const open = async (url = database.url): Promise<DataSource> => {
    const dataSource = await createDataSource(loadDatabaseConfig({ DATABASE_URL: url })).initialize();
    opened.push(dataSource);
    return dataSource;
  };
  const run = async (url = database.url): Promise<string[]> =>
    migrate(await open(url), loadDatabaseConfig({ DATABASE_URL: url }));
  const ask = async <Row extends object>(sql: string): Promise<Row[]> =>
    onServer(database.url, async (connection) => (await connection.query(sql))[0] as Row[]);
  const migrated = (): Promise<{ name: string }[]> => ask('SELECT name FROM migrations ORDER BY id');
  const ALL = MIGRATIONS.map(({ name }) => ({ name }));

  it('runs each migration once on two instances of a Galera cluster that rejects GET_LOCK', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its runner below
    const { query } = MysqlQueryRunner.prototype;
    jest.spyOn(MysqlQueryRunner.prototype, 'query').mockImplementation(function (
      this: MysqlQueryRunner,
      sql: string,
      ...rest: unknown[]
    ) {
      if (!sql.includes('GET_LOCK')) return query.call(this, sql, ...(rest as []));
      const error = Object.assign(new Error('GET_LOCK in cluster'), {
        code: 'ER_NOT_SUPPORTED_YET',
        errno: 1235,
      });
      return Promise.reject(new QueryFailedError(sql, [], error));
    });
    const names = await Promise.all([run(), run()]);
    expect(names.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrated()).toEqual(ALL);
    expect(await ask('SELECT * FROM migration_lease')).toEqual([]);
  });

  it('waits for a 0.2.0 instance that holds GET_LOCK', async () => {
    await onServer(database.url, async (former) => {
      await former.query(`SELECT GET_LOCK(${FORMER_LOCK}, 0)`);
      const migrating = run();
      const waiting =
        "SELECT id FROM information_schema.processlist WHERE state = 'User lock' AND db = DATABASE()";
      expect(
        await eventually(
          () => ask(waiting),
          (rows) => rows.length > 0,
        ),
      ).toHaveLength(1);
      expect(await ask("SHOW TABLES LIKE 'users'")).toEqual([]);
      await former.query(`SELECT RELEASE_LOCK(${FORMER_LOCK})`);
      expect(await migrating).toHaveLength(MIGRATIONS.length);
    });
  });

  it('leaves no connection whose session may be silent for hours', async () => {
    const dataSource = await open();
    await migrate(dataSource, loadDatabaseConfig({ DATABASE_URL: database.url }));
    const runners = Array.from({ length: POOL_SIZE }, () => dataSource.createQueryRunner());
    const silences = await Promise.all(
      runners.map(async (runner) => (await runner.query('SELECT @@wait_timeout AS silence')) as object[]),
    );
    await Promise.all(runners.map((runner) => runner.release()));
    expect(silences.flat()).toEqual(runners.map(() => ({ silence: 120 })));
  });

  it('needs no privilege to alter tables when no migration is pending', async () => {
    const current = await createMigratedDatabase();
    const { pathname, host } = new URL(current.url);
    await onServer(current.url, (connection) =>
      connection.query(
        `CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'reader'; GRANT SELECT ON ${pathname.slice(1)}.* TO reader@'%'`,
      ),
    );
    expect(await run(`mariadb://reader:reader@${host}${pathname}`)).toEqual([]);
    await Promise.all(opened.splice(0).map((dataSource) => dataSource.destroy()));
    await onServer(current.url, (connection) => connection.query("DROP USER reader@'%'"));
    await current.drop();
  });

  describe('The lease', () => {
    const expiry = async (): Promise<string> =>
      (await ask<{ at: string }>('SELECT CAST(expires_at AS CHAR) AS at FROM migration_lease'))[0]?.at ?? '';

    it('is renewed while a migration runs', async () => {
      const dataSource = await open();
      const [first, later] = await underLease(
        dataSource,
        async () => {
          const before = await expiry();
          return [before, await eventually(expiry, (at) => at > before)];
        },
        TIMES,
      );
      expect(later > first).toBe(true);
    });

    it('admits the second instance when the first has finished', async () => {
      const [first, second] = [await open(), await open()];
      const order: string[] = [];
      const entered = Promise.withResolvers<void>();
      const leave = Promise.withResolvers<void>();
      const work = underLease(
        first,
        async () => {
          entered.resolve();
          await leave.promise;
          order.push('first');
        },
        TIMES,
      );
      await entered.promise;
      const tries = jest.spyOn(second, 'query');
      const next = underLease(second, async () => void order.push('second'), TIMES);
      await eventually(
        async () => tries.mock.calls.length,
        (count) => count > 6,
      );
      leave.resolve();
      await Promise.all([work, next]);
      expect(order).toEqual(['first', 'second']);
    });

    it('is acquired when the lease of a killed instance has expired', async () => {
      await ask(CREATE_LEASE);
      await ask(
        "INSERT INTO migration_lease VALUES (1, 'killed', UTC_TIMESTAMP(3) - INTERVAL 1 MICROSECOND)",
      );
      expect(await underLease(await open(), async () => 'migrated', TIMES)).toBe('migrated');
    });

    it('stops an instance before its next migration when the lease is lost', async () => {
      const work = underLease(
        await open(),
        async (renew) => {
          await ask("UPDATE migration_lease SET holder = 'another'");
          await renew();
        },
        TIMES,
      );
      await expect(work).rejects.toThrow('Migration lease lost');
      expect(await ask('SELECT holder FROM migration_lease')).toEqual([{ holder: 'another' }]);
    });

    it('prevents further migrations when another instance has it', async () => {
      const second = (MIGRATIONS[1] as (typeof MIGRATIONS)[number]).prototype;
      // oxlint-disable-next-line typescript/unbound-method -- it is called with its migration below
      const { up } = second;
      jest.spyOn(second, 'up').mockImplementation(async function (
        this: MigrationInterface,
        runner: QueryRunner,
      ) {
        await up.call(this, runner);
        await ask("UPDATE migration_lease SET holder = 'another'");
      });
      await expect(run()).rejects.toThrow('Migration lease lost');
      expect(await migrated()).toEqual(ALL.slice(0, 2));
    });

    it('is awaited only for a limited time', async () => {
      await ask(CREATE_LEASE);
      await ask("INSERT INTO migration_lease VALUES (1, 'another', UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)");
      const work = underLease(await open(), async () => undefined, { ...TIMES, giveUpAfterMs: 0 });
      await expect(work).rejects.toThrow('Another instance has been migrating the database for too long');
    });
  });
});
