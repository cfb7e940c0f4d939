import { DataSource } from 'typeorm';
import { runWithoutCaller, runForRequest } from '../../src/common/concurrency/current-caller';
import { Transactions } from '../../src/database/transactions';
import { stopJobs } from '../support/jobs';
import { scrape } from '../support/metrics';
import { createTestApp, type TestApp } from '../support/test-app';
import { eventually } from '../support/waiting';

/** More than an instance has connections for transactions. */
const MANY = 15;

describe('Concurrent transactions of one user', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    // Jobs would wait for connections too.
    await stopJobs(test);
  });
  afterAll(() => test?.close());

  it('use at most two connections, while other users are served immediately', async () => {
    const transactions = test.app.get(Transactions);
    const started: string[] = [];
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const hold = (caller: string): Promise<void> =>
      runForRequest({ caller }, () =>
        transactions.run(async (em) => {
          await em.query('SELECT 1');
          started.push(caller);
          await opened;
        }),
      );
    const pass = (caller: string): Promise<number> =>
      runForRequest({ caller }, () => transactions.run(async () => started.length));

    const held = Array.from({ length: MANY }, () => hold('user:1'));
    await eventually(
      async () => started.length,
      (length) => length === 2,
    );
    expect(await pass('user:2')).toBe(2);
    expect(await pass('key:1')).toBe(2);
    expect(await runWithoutCaller(() => transactions.run(async () => started.length))).toBe(2);
    await eventually(
      () => scrape(test.api),
      ({ callboard_database_waiting: waiting }) => waiting === 13,
    );
    open();
    await Promise.all(held);
    expect(started).toHaveLength(MANY);
  });
});

describe('Concurrent statements of one user outside transactions', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    // Jobs would wait for connections too.
    await stopJobs(test);
  });
  afterAll(() => test?.close());

  it('use at most three connections, while other users are served', async () => {
    const { manager } = test.app.get(DataSource);
    const { promise: locked, resolve: noteLocked } = Promise.withResolvers<void>();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const holder = test.app.get(Transactions).run(async (em) => {
      await em.query("SELECT GET_LOCK('callers', 0)");
      noteLocked();
      await opened;
      await em.query("SELECT RELEASE_LOCK('callers')");
    });
    await locked;

    const held = Array.from({ length: MANY }, () =>
      runForRequest({ caller: 'user:1' }, () =>
        manager.query("SELECT GET_LOCK('callers', 60), RELEASE_LOCK('callers')"),
      ),
    );
    expect(await runForRequest({ caller: 'user:2' }, () => manager.query('SELECT 1 AS one'))).toEqual([
      { one: 1 },
    ]);
    await eventually(
      () => scrape(test.api),
      ({ callboard_database_waiting: waiting }) => waiting === 12,
    );
    open();
    await holder;
    expect(await Promise.all(held)).toHaveLength(MANY);
  });
});
