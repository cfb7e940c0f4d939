import { DataSource } from 'typeorm';
import { runForRequest } from '../../src/common/concurrency/current-caller';
import { Transactions } from '../../src/database/transactions';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The connection to SQLite', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('is lent to callers in turn, for transactions and for single statements', async () => {
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

    // Callers that never have a debt, however long their work takes.
    await Promise.all([
      ...['1st', '2nd', '3rd', '4th'].map((name) => write('key:1', `${name} of a heavy user`)),
      write('key:2', 'a write of another'),
      read('key:3', 'a read of a third'),
      write('key:2', 'one more of the other'),
    ]);
    expect(served).toEqual([
      '1st of a heavy user',
      '2nd of a heavy user',
      'a write of another',
      'a read of a third',
      '3rd of a heavy user',
      'one more of the other',
      '4th of a heavy user',
    ]);
  });
});
