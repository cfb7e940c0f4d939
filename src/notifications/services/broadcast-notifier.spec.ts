import type { Transactions } from '../../database/transactions';
import { EventSources } from '../../events/event-sources';
import { BroadcastNotifier } from './broadcast-notifier';
import type { Inboxes } from './inboxes';

jest.mock('../store/announcement.store', () => ({ newestBroadcastSeq: () => Promise.resolve(12) }));
jest.mock('../store/inbox.store', () => ({ inboxesWithBroadcast: () => Promise.resolve(new Set()) }));

describe('BroadcastNotifier', () => {
  const materialiseBroadcasts = jest.fn<Promise<void>, [number[]]>();
  let notifier: BroadcastNotifier;
  beforeEach(() => {
    materialiseBroadcasts.mockReset().mockResolvedValue(undefined);
    const transactions: Pick<Transactions, 'read'> = { read: () => ({}) as never };
    const inboxes = { materialiseBroadcasts };
    notifier = new BroadcastNotifier(
      new EventSources(),
      inboxes as unknown as Inboxes,
      transactions as Transactions,
    );
  });

  it('looks at the listeners once for each broadcast', async () => {
    await notifier.catchUpAll(() => [1]);
    await notifier.catchUpAll(() => [1, 2]);
    expect(materialiseBroadcasts.mock.calls).toEqual([[[1]]]);
  });

  it.each([
    ['fails', new Error('Time-out'), true],
    ['is refused', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), false],
  ])('looks again after a catch-up that %s', async (_, error, isThrown) => {
    await notifier.catchUpAll(() => [1]);
    materialiseBroadcasts.mockRejectedValueOnce(error);
    const outcome = await notifier.catchUp([2]).then(
      () => false,
      () => true,
    );
    expect(outcome).toBe(isThrown);
    await notifier.catchUpAll(() => [1, 2]);
    await notifier.catchUpAll(() => [1, 2]);
    expect(materialiseBroadcasts.mock.calls).toEqual([[[1]], [[2]], [[1, 2]]]);
  });
});
