import { setImmediate as turn } from 'node:timers/promises';
import { Clock } from '../../common/clock';
import { currentCaller, runForRequest } from '../../common/concurrency/current-caller';
import { Metrics } from '../../common/metrics';
import { EventSources } from '../event-sources';
import type { EventLog } from '../log/event-log';
import { userLog } from '../log/log-id';
import type { EventStream } from './event-stream';
import { StreamRegistry } from './stream-registry';
import type { TopicPublisher } from './topic-publisher';
import { TopicSubscriptions } from './topic-subscriptions';

describe('StreamRegistry', () => {
  it('reads for all streams without the caller whose request woke them', async () => {
    const callers: (string | undefined)[] = [];
    const log = {
      read: async () => {
        callers.push(currentCaller());
        return [];
      },
      expired: async () => new Map(),
    } as unknown as EventLog;
    const registry = new StreamRegistry(
      log,
      new TopicSubscriptions(new EventSources(), log),
      { publishNext: async () => [] } as unknown as TopicPublisher,
      new Clock(),
      new Metrics(),
    );
    const stream = { userId: 2, log: userLog(2), position: 0, canWrite: true, topics: [], send: jest.fn() };
    registry.add(stream as unknown as EventStream);
    await turn();
    runForRequest({ caller: 'user:1' }, () => registry.wake([userLog(2)]));
    await turn();
    expect(callers).toEqual([undefined, undefined]);
  });
});
