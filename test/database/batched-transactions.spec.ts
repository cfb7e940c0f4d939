import { DataSource, type EntityManager, In } from 'typeorm';
import { insertRows } from '../../src/database/sql/statements';
import { batchedStep } from '../../src/database/batching/batched-step';
import { BatchedTransactions } from '../../src/database/batching/batched-transactions';
import { Transactions } from '../../src/database/transactions';
import { UserEntity } from '../../src/identity/entities/user.entity';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';
import { userRow } from '../support/user-row';

class UserBatch {
  constructor(readonly em: EntityManager) {}

  readonly insertUser = batchedStep(async (ids: readonly number[]) => {
    await insertRows(this.em, UserEntity, ids.map(userRow));
  });
  readonly findUser = batchedStep(async (ids: readonly number[]) => {
    const found = await this.em.findBy(UserEntity, { id: In([...ids]) });
    return ids.map((id) => found.some((user) => user.id === id));
  });
}

describe('BatchedTransactions', () => {
  let test: TestApp;
  let shared: BatchedTransactions<UserBatch>;
  let nextId = 50_000;
  beforeAll(async () => {
    test = await createTestApp();
    shared = new BatchedTransactions(test.app.get(Transactions), 10_000, (em) => new UserBatch(em));
  });
  afterAll(() => test?.close());

  /** Starts the maximum number of concurrent transactions, which end when `release` is called. */
  function occupied(): { release: () => Promise<void> } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = ['one', 'two'].map((key) => shared.run([key], () => promise));
    return {
      release: async () => {
        resolve();
        await Promise.all(busy);
      },
    };
  }
  /** Queues items while no transaction can start, and returns their outcomes in the same order. */
  async function together(
    works: { keys: string[]; work: (batch: UserBatch) => Promise<unknown> }[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    const { release } = occupied();
    const ends = Promise.allSettled(works.map(({ keys, work }) => shared.run(keys, work)));
    await release();
    return ends;
  }
  const ids = (count: number): number[] => Array.from({ length: count }, () => (nextId += 1));
  const kept = async (among: number[]): Promise<number[]> => {
    const { manager } = test.app.get(DataSource);
    const rows = await manager.find(UserEntity, { where: { id: In(among) }, order: { id: 'ASC' } });
    return rows.map(({ id }) => id);
  };

  it('runs queued items in one transaction, and one statement for each batched step', async () => {
    const newUsers = ids(30);
    let ends: unknown;
    const statements = await statementsOf(test, async () => {
      ends = await together(
        newUsers.map((id) => ({
          keys: [`user ${id}`],
          work: async (batch) => {
            const before = await batch.findUser(id);
            await batch.insertUser(id);
            return [before, await batch.findUser(id)];
          },
        })),
      );
    });
    expect(ends).toEqual(newUsers.map(() => ({ status: 'fulfilled', value: [false, true] })));
    expect(statements.map((sql) => sql.split(' ')[0])).toEqual(['SELECT', 'INSERT', 'SELECT']);
    expect(await kept(newUsers)).toEqual(newUsers);
  });

  it('rejects an item that returns an error, and keeps the writes of the others', async () => {
    const [first = 0, second = 0] = ids(2);
    let attempts = 0;
    const refuse = async (): Promise<Error> => {
      attempts += 1;
      return new Error('not you');
    };
    const ends = await together([
      { keys: ['a'], work: (batch) => batch.insertUser(first) },
      { keys: ['b'], work: refuse },
      { keys: ['c'], work: (batch) => batch.insertUser(second) },
    ]);
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: new Error('not you') },
      { status: 'fulfilled' },
    ]);
    expect(attempts).toBe(1);
    expect(await kept([first, second])).toEqual([first, second]);
  });

  it('rolls back the batch when an item throws, and retries the others alone', async () => {
    const [first = 0, failing = 0, last = 0] = ids(3);
    const ends = await together([
      { keys: ['a'], work: (batch) => batch.insertUser(first) },
      {
        keys: ['b'],
        work: async (batch) => {
          await batch.insertUser(failing);
          throw new Error('changed my mind');
        },
      },
      { keys: ['c'], work: (batch) => batch.insertUser(last) },
    ]);
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: new Error('changed my mind') },
      { status: 'fulfilled' },
    ]);
    expect(await kept([first, failing, last])).toEqual([first, last]);
  });

  it('delays the others once and fails none when an item waits for a lock', async () => {
    const [first = 0, held = 0, last = 0] = ids(3);
    let attempts = 0;
    const ends = await together([
      { keys: ['a'], work: (batch) => batch.insertUser(first) },
      {
        keys: ['b'],
        work: async (batch) => {
          attempts += 1;
          if (attempts <= 2) throw Object.assign(new Error('held'), { code: 'ER_LOCK_WAIT_TIMEOUT' });
          await batch.insertUser(held);
        },
      },
      { keys: ['c'], work: (batch) => batch.insertUser(last) },
    ]);
    expect(ends).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }, { status: 'fulfilled' }]);
    // One attempt with the others, and two alone.
    expect(attempts).toBe(3);
    expect(await kept([first, held, last])).toEqual([first, held, last]);
  });

  it('retries an item that loses a unique key until it finds the key taken', async () => {
    const [id = 0] = ids(1);
    const findOrMake = async (batch: UserBatch): Promise<string> => {
      if (await batch.findUser(id)) return 'found';
      await batch.insertUser(id);
      return 'made';
    };
    const ends = await together(['a', 'b', 'c'].map((key) => ({ keys: [key], work: findOrMake })));
    const values = ends.map((end) => end.status === 'fulfilled' && end.value);
    expect(values.filter((value) => value === 'made')).toHaveLength(1);
    expect(values.filter((value) => value === 'found')).toHaveLength(2);
  });

  it('never runs two items with a common key in one transaction, and keeps their order', async () => {
    const users = ids(4);
    const order: [index: number, before: number[]][] = [];
    const ends = await together(
      [['a', 'b'], ['b', 'c'], ['c'], ['d']].map((keys, index) => ({
        keys,
        work: async (batch) => {
          // One statement for all items of the batch: an item's own could run after another item's insert.
          const before = await Promise.all(users.map((id) => batch.findUser(id)));
          order.push([index, users.filter((_, position) => before[position])]);
          await batch.insertUser(users[index] ?? 0);
        },
      })),
    );
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true);
    const [first, second, , last] = users;
    expect(order).toEqual([
      [0, []],
      [3, []],
      [1, [first, last]],
      [2, [first, second, last]],
    ]);
  });
});
