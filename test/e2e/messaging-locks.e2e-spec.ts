import { Transactions } from '../../src/database/transactions';
import { Chatter, dataOf, verdictOf } from '../support/messaging';
import { transactionsOf } from '../support/sending';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NO_MEMBER = [403, '无权访问此会话'];

describe('The lock of a conversation', () => {
  let test: TestApp;
  let ann: Chatter;
  let eve: Chatter;
  let group: number;
  let message: number;
  beforeAll(async () => {
    test = await createTestApp();
    ann = await Chatter.meet(test.api, 1);
    await Chatter.meet(test.api, 2);
    eve = await Chatter.meet(test.api, 9);
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
  ])('is not taken for a stranger who %s', async (_, act, verdict) => {
    expect(
      await transactionsOf(test, async () => {
        expect(verdictOf(await act())).toEqual(verdict);
      }),
    ).toBe(0);
  });

  it('is not taken for a member who recalls another’s message', async () => {
    await ann.add(group, 9);
    const { id } = await ann.send(group);
    expect(
      await transactionsOf(test, async () => {
        expect(verdictOf(await eve.tryRecall(id))).toEqual([403, '无权操作']);
      }),
    ).toBe(0);
  });

  it('comes before the time of joining, which so never runs against the order', async () => {
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
