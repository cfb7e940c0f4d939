import type { Socket } from 'node:net';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { MAX_TRANSACTIONS } from '../../src/database/mysql/pool';
import { Transactions } from '../../src/database/transactions';
import { UserEntity } from '../../src/identity/entities/user.entity';
import { createTestApp, type TestApp } from '../support/test-app';
import { userRow } from '../support/user-row';

type Query = (sql: string, values: unknown, callback: (error: Error | null) => void) => void;

/** Makes the runner's connection reject a statement once. */
async function refuse(runner: QueryRunner, statement: string): Promise<void> {
  const connection = (await runner.connect()) as { query: Query };
  const { query } = connection;
  connection.query = (sql, values, callback) => {
    if (sql !== statement) return query.call(connection, sql, values, callback);
    connection.query = query;
    callback(new Error('refused'));
  };
}

describe('Transactions on MySQL', () => {
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
  const insert = (em: EntityManager, id: number) => em.insert(UserEntity, userRow(id));
  const newId = (): number => (nextId += 1);
  /** Commits on as many connections as transactions may use at the same time. */
  const commitEverywhere = async (): Promise<void> => {
    const runners = Array.from({ length: MAX_TRANSACTIONS }, () => dataSource.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.startTransaction()));
    await Promise.all(runners.map((runner) => runner.manager.existsBy(UserEntity, { id: 1 })));
    await Promise.all(runners.map((runner) => runner.commitTransaction()));
    await Promise.all(runners.map((runner) => runner.release()));
  };

  it('discards a transaction whose rollback failed', async () => {
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

  it('rolls back a transaction whose commit failed', async () => {
    const id = newId();
    const failing = transactions.run(async (em) => {
      await insert(em, id);
      if (em.queryRunner) await refuse(em.queryRunner, 'COMMIT');
    });
    await expect(failing).rejects.toThrow('refused');
    await commitEverywhere();
    expect(await exists(id)).toBe(false);
  });

  it('discards an unfinished transaction, regardless of repeated releases of its runner', async () => {
    const id = newId();
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await insert(runner.manager, id);
    await runner.release();
    await runner.release();
    await commitEverywhere();
    expect(await exists(id)).toBe(false);
  });

  it('are not started on a query runner that is released, also during the wait for its turn', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.release();
    await expect(runner.startTransaction()).rejects.toThrow('released');
    const waiting = dataSource.createQueryRunner();
    const late = waiting.startTransaction();
    await waiting.release();
    await expect(late).rejects.toThrow('released');
    await commitEverywhere();
  });

  it('leave connections to statements when all of them wait', async () => {
    const runners = Array.from({ length: MAX_TRANSACTIONS }, () => dataSource.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.startTransaction()));
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await Promise.all(runners.map((runner) => runner.rollbackTransaction()));
    await Promise.all(runners.map((runner) => runner.release()));
  });

  it('return a connection that arrives after the release of its runner', async () => {
    const runner = dataSource.createQueryRunner();
    const late = runner.connect();
    await runner.release();
    await expect(late).rejects.toThrow('released');
    await commitEverywhere();
  });

  it('send each statement after the result of the previous one with DATABASE_PIPELINING=off', async () => {
    const other = await createTestApp({ env: { DATABASE_PIPELINING: 'off' } });
    try {
      const { stream, written } = await other.app.get(Transactions).run(async (em) => {
        const connection = (await em.queryRunner?.connect()) as { stream: Socket };
        const results = Promise.all([em.query('SELECT 1'), em.query('SELECT 2')]);
        const { bytesWritten } = connection.stream;
        await results;
        return { stream: connection.stream, written: bytesWritten };
      });
      expect(stream.bytesWritten).toBeGreaterThan(written + 'SELECT 2COMMIT'.length);
    } finally {
      await other.close();
    }
  });
});
