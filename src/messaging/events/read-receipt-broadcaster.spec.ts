import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { setHooks, type TransactionHooks } from '../../database/transaction-hooks';
import type { Transactions } from '../../database/transactions';
import type { EventsService } from '../../events/events.service';
import type { ReadEvent } from './event-payloads';
import { ReadReceiptBroadcaster } from './read-receipt-broadcaster';

describe('ReadReceiptBroadcaster', () => {
  const query = jest.fn();
  const em = { query, queryRunner: { data: {} } } as unknown as EntityManager;
  const transactions: Pick<Transactions, 'read'> = { read: () => em };
  let broadcasts: [recipients: number[], conversation: number, upTo: number | null][];
  let broadcaster: ReadReceiptBroadcaster;
  let job: PeriodicJob;
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    query.mockReset().mockResolvedValue([{ user_id: 1 }, { user_id: 2 }]);
    broadcasts = [];
    const events: Pick<EventsService, 'hasConnections' | 'publishEphemeral'> = {
      hasConnections: true,
      publishEphemeral: (recipients, { payload }) => {
        const { conversation_id, up_to_message_id } = payload as ReadEvent;
        broadcasts.push([recipients, conversation_id, up_to_message_id]);
      },
    };
    broadcaster = new ReadReceiptBroadcaster(
      transactions as Transactions,
      events as EventsService,
      new Clock(),
    );
    job = new PeriodicJob(broadcaster, {
      name: 'live_reads',
      everyMs: 250,
      run: () => broadcaster.tick(),
      onFailure: 'Failed',
    });
    job.start();
  });
  afterEach(async () => {
    await job.stop();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** User 1 reads up to a message. */
  const read = (conversation_id: number, up_to_message_id: number): void => {
    const event = { conversation_id, user_id: 1, up_to_message_id, read_at: '2026-01-31 16:00:00' };
    const hooks: TransactionHooks[] = [];
    setHooks(em, hooks);
    broadcaster.publish(em, { ...event, unread_count: null, mention_id: null });
    for (const { afterCommit } of hooks) afterCommit?.();
  };
  /** In conversation 7, broadcasts message 1, defers message 2, and lets the query at the end of the interval fail. */
  const failToBroadcastDeferred = async (): Promise<void> => {
    read(7, 1);
    read(7, 2);
    await jest.advanceTimersByTimeAsync(2_999);
    query.mockRejectedValueOnce(new Error('connection lost'));
    await jest.advanceTimersByTimeAsync(1);
  };

  it('broadcasts the first receipt immediately and the furthest of the deferred ones after 3 s', async () => {
    for (const upTo of [1, 3, 2]) read(7, upTo);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(broadcasts).toEqual([[[2], 7, 1]]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(broadcasts.slice(1)).toEqual([[[2], 7, 3]]);
  });

  it('broadcasts a deferred receipt after another 3 s when the query fails', async () => {
    await failToBroadcastDeferred();
    await jest.advanceTimersByTimeAsync(2_999);
    expect(broadcasts).toEqual([[[2], 7, 1]]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(broadcasts.slice(1)).toEqual([[[2], 7, 2]]);
  });

  it('broadcasts a newer receipt instead when one is deferred after the query has failed', async () => {
    await failToBroadcastDeferred();
    read(7, 3);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(broadcasts.slice(1)).toEqual([[[2], 7, 3]]);
  });

  it('broadcasts the receipts of all groups when the query for one of them fails', async () => {
    read(8, 1);
    read(8, 2);
    await failToBroadcastDeferred();
    await jest.advanceTimersByTimeAsync(10_000);
    const groups = broadcasts.filter(([, , upTo]) => upTo === 2).map(([, conversation]) => conversation);
    expect(groups.toSorted((a, b) => a - b)).toEqual([7, 8]);
  });

  it('broadcasts both receipts when one is deferred during the broadcast of another', async () => {
    read(7, 1);
    read(7, 2);
    await jest.advanceTimersByTimeAsync(2_999);
    const members = Promise.withResolvers<{ user_id: number }[]>();
    query.mockReturnValueOnce(members.promise);
    await jest.advanceTimersByTimeAsync(1);
    read(7, 3);
    members.resolve([{ user_id: 1 }, { user_id: 2 }]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(broadcasts.map(([, , upTo]) => upTo)).toEqual([1, 2, 3]);
  });
});
