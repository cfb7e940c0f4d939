import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { createPool } from '../../src/database/mysql/pool';
import { Transactions } from '../../src/database/transactions';
import { UserEntity } from '../../src/identity/entities/user.entity';
import { createTestApp, type TestApp } from '../support/test-app';
import { aUser } from '../support/user-row';

const CONNECTIONS = 10;

type Query = (sql: string, values: unknown, callback: (error: Error | null) => void) => void;

/** The runner's connection refuses this statement, once. */
async function refuse(runner: QueryRunner, statement: string): Promise<void> {
  const connection = (await runner.connect()) as { query: Query };
  const { query } = connection;
  connection.query = (sql, values, callback) => {
    if (sql !== statement) return query.call(connection, sql, values, callback);
    connection.query = query;
    callback(new Error('refused'));
  };
}

describe('Transactions without BEGIN', () => {
  let test: TestApp;
  let transactions: Transactions;
  let dataSource: DataSource;
  let nextId = 1_000;
  beforeAll(async () => {
    test = await createTestApp();
    transactions = test.app.get(Transactions);
    dataSource = test.app.get(DataSource);
  });
  afterAll(() => test?.close());

  const exists = (id: number): Promise<boolean> => dataSource.getRepository(UserEntity).existsBy({ id });
  const insert = (em: EntityManager, id: number) => em.insert(UserEntity, aUser(id));
  const newId = (): number => (nextId += 1);
  /** Commits on every connection for transactions that there is. */
  const commitEverywhere = async (): Promise<void> => {
    const runners = Array.from({ length: CONNECTIONS }, () => dataSource.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.startTransaction()));
    await Promise.all(runners.map((runner) => runner.manager.existsBy(UserEntity, { id: 1 })));
    await Promise.all(runners.map((runner) => runner.commitTransaction()));
    await Promise.all(runners.map((runner) => runner.release()));
  };

  it('leaves nothing of one that could not be rolled back', async () => {
    const id = newId();
    const failing = transactions.run(async (em) => {
      await insert(em, id);
      if (em.queryRunner) await refuse(em.queryRunner, 'ROLLBACK');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await commitEverywhere();
    expect(await exists(id)).toBe(false);
  });

  it('rolls back one that could not be committed', async () => {
    const id = newId();
    const failing = transactions.run(async (em) => {
      await insert(em, id);
      if (em.queryRunner) await refuse(em.queryRunner, 'COMMIT');
    });
    await expect(failing).rejects.toThrow('refused');
    await commitEverywhere();
    expect(await exists(id)).toBe(false);
  });

  it('leaves nothing of one that nobody has ended, however often its runner is released', async () => {
    const id = newId();
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await insert(runner.manager, id);
    await runner.release();
    await runner.release();
    await commitEverywhere();
    expect(await exists(id)).toBe(false);
  });

  it('refuses what comes while one is being ended', async () => {
    const id = newId();
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await insert(runner.manager, id);
    const ending = runner.commitTransaction();
    await expect(insert(runner.manager, newId())).rejects.toThrow('Transaction is not started');
    await ending;
    await runner.release();
    expect(await exists(id)).toBe(true);
  });

  it('refuses one within another, of another isolation, and on a runner that is released', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await expect(runner.startTransaction()).rejects.toThrow('Transaction already started');
    await runner.rollbackTransaction();
    await expect(runner.startTransaction('SERIALIZABLE')).rejects.toThrow(
      'Isolation levels are not supported',
    );
    await runner.release();
    await expect(runner.startTransaction()).rejects.toThrow('released');
  });

  it('gives back a connection that comes when its runner has been released', async () => {
    const runner = dataSource.createQueryRunner();
    const late = runner.connect();
    await runner.release();
    await expect(late).rejects.toThrow('released');
    await commitEverywhere();
  });

  it('closes both pools at once', async () => {
    const uri = test.database.url.replace('mariadb:', 'mysql:');
    const pools = createPool({ uri });
    await Promise.all([pools, pools.transactions].map((pool) => pool.promise().query('SELECT 1')));
    await new Promise((resolve) => pools.end(resolve));
    for (const pool of [pools, pools.transactions])
      await expect(pool.promise().query('SELECT 1')).rejects.toThrow('Pool is closed');
  });
});
