import { Transactions } from '../../src/database/transactions';
import { type RemovedMessage, removeSome } from '../../src/messaging/store/abandoned-conversations.store';
import { stopJobs } from '../support/jobs';
import { ChatUser } from '../support/messaging';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const BATCH = 2;

describe('A group without members', () => {
  let test: TestApp;
  let ann: ChatUser;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    [ann] = await ChatUser.annBenAndCat(test.api);
  });
  afterAll(() => test?.close());

  it('is removed by one instance at a time, and its messages are counted out once', async () => {
    const group = await ann.createGroup();
    const sent: number[] = [];
    for (let index = 0; index < 3; index += 1) sent.push((await ann.send(group)).id);
    await ann.leave(group);
    const transactions = test.app.get(Transactions);
    const hasRemoved = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = transactions.run(async (em) => {
      const removed = await removeSome(em, group, BATCH);
      hasRemoved.resolve();
      await mayCommit.promise;
      return removed;
    });
    await hasRemoved.promise;
    const second = transactions.run((em) => removeSome(em, group, BATCH));
    const waiting = `SELECT id FROM information_schema.processlist WHERE db = DATABASE()
      AND id <> CONNECTION_ID() AND info LIKE 'SELECT%abandoned_conversations%FOR UPDATE'`;
    const waits = await eventually(
      () => test.query(waiting),
      ({ length }) => length > 0,
    );
    expect(waits).toHaveLength(1);
    mayCommit.resolve();
    const idsOf = (removed: RemovedMessage[]): number[] => removed.map(({ id }) => id);
    expect([idsOf(await first), idsOf(await second)]).toEqual([sent.slice(0, 2), sent.slice(2)]);
  });
});
