import { EventEmitter } from 'node:events';
import type { EventSources } from '../event-sources';
import type { RedisConnection } from '../../redis/redis-connection';
import type { StreamRegistry } from './stream-registry';
import { EventNotifier } from './event-notifier';

describe('EventNotifier', () => {
  const open = () => {
    const subscriber = Object.assign(new EventEmitter(), {
      connect: () => Promise.resolve(),
      disconnect: () => undefined,
    });
    const registry = {
      wake: jest.fn(),
      broadcast: jest.fn(),
      userIds: [],
      poll: () => Promise.resolve(),
      tick: () => undefined,
    };
    const redis = { client: { duplicate: () => subscriber } };
    const notifier = new EventNotifier(
      registry as unknown as StreamRegistry,
      {} as EventSources,
      redis as unknown as RedisConnection,
    );
    notifier.onApplicationBootstrap();
    const receive = (message: unknown): boolean =>
      subscriber.emit(
        'message',
        'callboard:events',
        typeof message === 'string' ? message : JSON.stringify(message),
      );
    return { notifier, registry, receive };
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
});
