import { setImmediate } from 'node:timers/promises';
import { DataSource, type EntityManager, In, QueryFailedError } from 'typeorm';
import { OutageDetector } from '../../src/common/errors/outage-detector';
import { toBusinessError } from '../../src/common/errors/to-business-error';
import { UserEntity } from '../../src/identity/entities/user.entity';
import { insertRows, updateRows } from '../../src/database/sql/statements';
import { Transactions } from '../../src/database/transactions';
import { pipeline } from '../../src/database/transaction-statements';
import { createTestApp, type TestApp } from '../support/test-app';
import { userRow } from '../support/user-row';

describe('Transactions', () => {
  let test: TestApp;
  let transactions: Transactions;
  let dataSource: DataSource;
  beforeAll(async () => {
    test = await createTestApp();
    transactions = test.app.get(Transactions);
    dataSource = test.app.get(DataSource);
  });
  afterAll(() => test?.close());

  const insertUser = (em: EntityManager, id: number) => insertRows(em, UserEntity, [userRow(id)]);
  const exists = (id: number) => dataSource.getRepository(UserEntity).existsBy({ id });

  it('lose none of 1,000 concurrent transactions and single writes when others roll back', async () => {
    const users = dataSource.getRepository(UserEntity);
    const writes = Array.from({ length: 1000 }, async (_, index) => {
      const id = 10_000 + index * 2;
      if (index % 3 === 0) {
        await users.insert(userRow(id));
        return [id];
      }
      const rollsBack = index % 3 === 1;
      const both = async (em: EntityManager): Promise<number[]> => {
        await em.insert(UserEntity, userRow(id));
        await em.insert(UserEntity, userRow(id + 1));
        if (rollsBack) throw new Error('changed my mind');
        return [id, id + 1];
      };
      if (!rollsBack) return transactions.run(both);
      await expect(transactions.run(both)).rejects.toThrow('changed my mind');
      return [];
    });
    const acknowledged = (await Promise.all(writes)).flat().toSorted((a, b) => a - b);

    const rows = await users
      .createQueryBuilder('u')
      .select('u.id')
      .where('u.id >= 10000')
      .orderBy('u.id')
      .getMany();
    expect(rows.map(({ id }) => id)).toEqual(acknowledged);
    expect(acknowledged).toHaveLength(334 + 333 * 2);
  });

  it('retry a transaction on request until the lost unique key is found taken', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 20 }, () =>
        transactions.run(
          async (em) => {
            if (await em.existsBy(UserEntity, { id: 77 })) return 'found';
            await em.insert(UserEntity, userRow(77));
            return 'made';
          },
          { retryOnDuplicateKey: true },
        ),
      ),
    );
    expect(attempts.filter((outcome) => outcome === 'made')).toHaveLength(1);
    expect(attempts.filter((outcome) => outcome === 'found')).toHaveLength(19);
  });

  it.each([
    ['10 attempts when another transaction has its unique key in each', 'SQLITE_CONSTRAINT_UNIQUE', 10],
    ['10 attempts when each is a deadlock', 'ER_LOCK_DEADLOCK', 10],
    ['one attempt that has waited for a lock for longer than ten seconds', 'ER_LOCK_WAIT_TIMEOUT', 1],
  ])('fail after %s', async (_, code, expected) => {
    jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'performance'] });
    try {
      let attempts = 0;
      const inVain = transactions.run(
        async () => {
          attempts += 1;
          jest.setSystemTime(Date.now() + 11_000);
          throw new QueryFailedError('UPDATE', [], Object.assign(new Error(code), { code }));
        },
        { retryOnDuplicateKey: true },
      );
      const error: unknown = await inVain.catch((thrown: unknown) => thrown);
      expect(toBusinessError(error, test.app.get(OutageDetector)).key).toBe('UNAVAILABLE');
      expect(attempts).toBe(expected);
    } finally {
      jest.useRealTimers();
    }
  });

  it('keep milliseconds and numbers unchanged', async () => {
    await dataSource.getRepository(UserEntity).insert(userRow(4_503_599_627_370_496));
    const user = await dataSource.getRepository(UserEntity).findOneByOrFail({ id: 4_503_599_627_370_496 });
    expect(user).toMatchObject(userRow(4_503_599_627_370_496));
  });

  it('reject nesting, and continue', async () => {
    const nested = transactions.run(() => transactions.run(async (em) => em.count(UserEntity)));
    await expect(nested).rejects.toThrow('A transaction is already open');
    expect(await transactions.run((em) => em.existsBy(UserEntity, { id: 77 }))).toBe(true);
  });

  it('reject statements after their end', async () => {
    const ended = await transactions.run((em) => Promise.resolve(em));
    await expect(ended.query('SELECT 1 AS one')).rejects.toThrow(/released|after the end/);
  });

  it('run statements together in the order of the calls', async () => {
    const rename = (em: EntityManager, name: string) => updateRows(em, UserEntity, { id: 90 }, { name });
    const read = (em: EntityManager) => em.query('SELECT name FROM users WHERE id = 90');
    const results = await transactions.run(async (em) => {
      pipeline(em, insertUser(em, 90));
      pipeline(em, rename(em, 'Ann'));
      const first = read(em);
      pipeline(em, rename(em, 'Ben'));
      return Promise.all([first, read(em)]);
    });
    expect(results).toEqual([[{ name: 'Ann' }], [{ name: 'Ben' }]]);
  });

  it('wait for the writes of their pipeline before they commit', async () => {
    await transactions.run((em) => {
      pipeline(em, insertUser(em, 91));
      return Promise.resolve();
    });
    expect(await exists(91)).toBe(true);
  });

  it('fail with the error of their pipeline, and roll back', async () => {
    const failing = transactions.run(async (em) => {
      await insertUser(em, 92);
      pipeline(em, insertUser(em, 92));
      // Fails, like each statement after the failed one.
      await em
        .query('SELECT 1')
        .then(() => em.query('SELECT 1'))
        .catch(() => undefined);
      // An unhandled rejection of the write would be noticed meanwhile.
      await setImmediate();
      throw new Error('a consequence');
    });
    await expect(failing).rejects.toMatchObject({ name: 'QueryFailedError' });
    expect(await exists(92)).toBe(false);
  });

  it('send no statement after a failed one, also not for work that continues', async () => {
    const continued = Promise.withResolvers<unknown>();
    const failing = transactions.run(async (em) => {
      await insertUser(em, 93);
      const failed = insertUser(em, 93);
      failed.catch(() => insertUser(em, 94)).catch(continued.resolve);
      await failed;
    });
    await expect(failing).rejects.toBe(await continued.promise);
    expect(await exists(94)).toBe(false);
  });

  it('reject a COMMIT before the results of all statements', async () => {
    const failing = transactions.run((em) => {
      insertUser(em, 95).catch(() => undefined);
      return Promise.resolve();
    });
    await expect(failing).rejects.toThrow('COMMIT before all results');
    expect(await exists(95)).toBe(false);
  });

  it('commit a single statement, also on a query runner that had a transaction', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert(UserEntity, userRow(81));
    await runner.commitTransaction();
    await runner.manager.insert(UserEntity, userRow(82));
    await runner.startTransaction();
    await runner.manager.insert(UserEntity, userRow(83));
    await runner.rollbackTransaction();
    await runner.release();
    const found = await dataSource.getRepository(UserEntity).findBy({ id: In([81, 82, 83]) });
    expect(found.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([81, 82]);
  });

  it('reject a query that bypasses the current transaction, instead of deadlocking', async () => {
    const options = dataSource.options.type;
    if (options !== 'better-sqlite3') return;
    const stray = transactions.run(async () => dataSource.getRepository(UserEntity).count());
    await expect(stray).rejects.toThrow('Query outside the open transaction');
    expect(await dataSource.getRepository(UserEntity).existsBy({ id: 77 })).toBe(true);
  });
});
