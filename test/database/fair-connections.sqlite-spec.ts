import { DataSource } from 'typeorm';
import { runForRequest } from '../../src/common/concurrency/current-caller';
import { ConnectionMutex } from '../../src/database/connection-mutex';
import { Transactions } from '../../src/database/transactions';
import { createTestApp, type TestApp } from '../support/test-app';
import { eventually } from '../support/waiting';

describe('The SQLite connection', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('is shared fairly between users, for transactions and single statements', async () => {
    const transactions = test.app.get(Transactions);
    const { manager } = test.app.get(DataSource);
    const served: string[] = [];
    const write = (caller: string, name: string): Promise<unknown> =>
      runForRequest({ caller }, () => transactions.run(async () => served.push(name)));
    const read = (caller: string, name: string): Promise<unknown> =>
      runForRequest({ caller }, async () => {
        await manager.query('SELECT 1');
        served.push(name);
      });

    const mutex = test.app.get(ConnectionMutex);
    const blocked = Promise.withResolvers<void>();
    const blocker = runForRequest({ caller: 'key:0' }, () => transactions.run(() => blocked.promise));
    await eventually(
      async () => mutex.used,
      (used) => used === 1,
    );
    // These callers never have a debt, regardless of the duration of their work. Each waits before the next one requests.
    const requests: Promise<unknown>[] = [];
    for (const request of [
      ...['1st', '2nd', '3rd', '4th'].map((name) => () => write('key:1', `${name} of a heavy user`)),
      () => write('key:2', 'a write of another'),
      () => read('key:3', 'a read of a third'),
      () => write('key:2', 'one more of the other'),
    ]) {
      requests.push(request());
      await eventually(
        async () => mutex.waiting,
        (waiting) => waiting === requests.length,
      );
    }
    blocked.resolve();
    await Promise.all([blocker, ...requests]);
    expect(served).toEqual([
      '1st of a heavy user',
      'a write of another',
      'a read of a third',
      '2nd of a heavy user',
      'one more of the other',
      '3rd of a heavy user',
      '4th of a heavy user',
    ]);
  });
});
