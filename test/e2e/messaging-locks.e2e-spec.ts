import { Transactions } from '../../src/database/transactions';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { countTransactions } from '../support/sending';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NO_MEMBER = [403, '无权访问此会话'];

describe('The lock of a conversation', () => {
  let test: TestApp;
  let ann: ChatUser;
  let eve: ChatUser;
  let group: number;
  let message: number;
  beforeAll(async () => {
    test = await createTestApp();
    ann = await ChatUser.signIn(test.api, 1);
    await ChatUser.signIn(test.api, 2);
    eve = await ChatUser.signIn(test.api, 9);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2]);
    ({ id: message } = await ann.send(group));
  });
  afterAll(() => test?.close());

  it.each([
    ['recalls', () => eve.tryRecall(message), [404, '消息不存在']],
    ['removes a member', () => eve.tryRemove(group, 2), NO_MEMBER],
    ['adds a member', () => eve.tryAdd(group, [9]), NO_MEMBER],
    ['changes settings', () => eve.trySettings(group, { hidden: true }), NO_MEMBER],
    ['renames', () => eve.api.put(`/api/messages/conversations/${group}`, { name: 'x' }), NO_MEMBER],
  ])('is not acquired for a user outside it who %s', async (_, act, verdict) => {
    expect(
      await countTransactions(test, async () => {
        expect(errorOf(await act())).toEqual(verdict);
      }),
    ).toBe(0);
  });

  it('is not acquired for a member who recalls another’s message', async () => {
    await ann.add(group, 9);
    const { id } = await ann.send(group);
    expect(
      await countTransactions(test, async () => {
        expect(errorOf(await eve.tryRecall(id))).toEqual([403, '无权操作']);
      }),
    ).toBe(0);
  });

  it('is acquired before the join time is read, which keeps the times in order', async () => {
    const transactions = test.app.get(Transactions);
    const run = transactions.run.bind(transactions);
    const waiting = jest.spyOn(transactions, 'run').mockImplementationOnce((work, options) => {
      test.clock.advance(60);
      return run(work, options);
    });
    await ann.add(group, 9);
    waiting.mockRestore();
    const { items } = dataOf(await ann.api.get(`/api/messages/conversations/${group}/members`));
    expect(items.map(({ joined_at }: { joined_at: string }) => joined_at)).toEqual([
      '2026-01-31 16:00:00',
      '2026-01-31 16:00:00',
      '2026-01-31 16:01:00',
    ]);
  });
});
