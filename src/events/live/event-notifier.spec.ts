import type { LogId } from '../log/log-id';
import type { EventSources } from '../event-sources';
import type { RedisConnection } from '../../redis/redis-connection';
import type { RedisListener } from '../../redis/redis-pub-sub';
import type { StreamRegistry } from './stream-registry';
import { Workers } from '../../workers/workers';
import { EventNotifier } from './event-notifier';
import { RedisChannel } from './redis-channel';
import { WorkerChannel } from './worker-channel';

describe('EventNotifier', () => {
  const open = () => {
    const registry = {
      wake: jest.fn(),
      broadcast: jest.fn(),
      userIds: [],
      poll: () => Promise.resolve(),
      tick: () => undefined,
    };
    const published: unknown[] = [];
    let listener: RedisListener | undefined;
    const redis = {
      client: {},
      subscribe: (_channels: string[], opened: RedisListener) => {
        listener = opened;
        return {
          publish: (_channel: string, text: string) => void published.push(JSON.parse(text)),
          close() {},
        };
      },
    };
    const workers = new Workers();
    const notifier = new EventNotifier(
      registry as unknown as StreamRegistry,
      {} as EventSources,
      new RedisChannel(redis as unknown as RedisConnection, workers),
      new WorkerChannel(workers),
    );
    notifier.onApplicationBootstrap();
    const receive = (message: unknown): void =>
      listener?.onMessage(typeof message === 'string' ? message : JSON.stringify(message));
    return { notifier, registry, receive, published };
  };
  const LIVE = { userIds: [7], type: 'typing', created_at: '2026-01-31T08:00:00.000Z', payload: '{"a":1}' };

  it.each([
    'not JSON',
    'null',
    '5',
    { logs: 5 },
    { logs: ['7'] },
    { live: null },
    { live: { ...LIVE, userIds: 7 } },
    { live: { ...LIVE, userIds: ['7'] } },
    { live: { ...LIVE, created_at: 'yesterday' } },
    { live: { ...LIVE, payload: undefined } },
    { live: { ...LIVE, payload: '{}\n\ndata: {}' } },
    { live: { ...LIVE, type: 'typing\ndata: {}' } },
    { signal: null },
    { signal: { name: 5 } },
  ])('ignores a message of another program: %j', async (message) => {
    const { notifier, registry, receive } = open();
    expect(() => receive(message)).not.toThrow();
    expect(registry.wake).not.toHaveBeenCalled();
    expect(registry.broadcast).not.toHaveBeenCalled();
    await notifier.onModuleDestroy();
  });

  it('continues when a signal handler throws', async () => {
    const { notifier, registry, receive } = open();
    notifier.onSignal('presence', () => {
      throw new TypeError('body is null');
    });
    expect(() => receive({ signal: { name: 'presence', body: null } })).not.toThrow();
    receive({ logs: [7] });
    receive({ live: LIVE });
    expect(registry.wake.mock.calls).toEqual([[[7]]]);
    expect(registry.broadcast.mock.calls).toEqual([
      [[7], 'event: typing\ndata: {"type":"typing","created_at":"2026-01-31T08:00:00.000Z","a":1}\n\n'],
    ]);
    await notifier.onModuleDestroy();
  });

  it('ignores its own messages when they come back from Redis', async () => {
    const { notifier, registry, receive, published } = open();
    const handled = jest.fn();
    notifier.onSignal('presence', handled);
    notifier.distribute({ logs: [7] as LogId[] });
    notifier.distribute({ live: LIVE });
    notifier.distribute({ signal: { name: 'presence', body: [1] } });
    expect(published).toHaveLength(3);
    for (const message of published) receive(message);
    const calls = [registry.wake, registry.broadcast, handled].map(({ mock }) => mock.calls.length);
    expect(calls).toEqual([1, 1, 1]);
    await notifier.onModuleDestroy();
  });
});
