import { Subject } from 'rxjs';
import { Clock } from '../../common/clock';
import type { Config } from '../../config/config';
import type { EventsService } from '../../events/events.service';
import type { InstanceRegistry } from './instance-registry';
import { PresenceWriter } from './presence-writer';

describe('PresenceWriter', () => {
  const write = jest.fn<Promise<void>, Parameters<InstanceRegistry['write']>>();
  let connections: Subject<{ userId: number; isConnected: boolean }>;
  let writer: PresenceWriter;
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-01-31T08:00:00.000Z') });
    connections = new Subject();
    write.mockReset().mockResolvedValue(undefined);
    const registry: Pick<InstanceRegistry, 'write' | 'renew' | 'sweep' | 'deregister'> = {
      write,
      renew: () => Promise.resolve(true),
      sweep: () => Promise.resolve([]),
      deregister: () => Promise.resolve([]),
    };
    const events = { connectionChanges: connections, signal: () => undefined };
    writer = new PresenceWriter(
      { people: { presence: true } } as Config,
      registry as InstanceRegistry,
      events as unknown as EventsService,
      new Clock(),
    );
    writer.onApplicationBootstrap();
  });
  afterEach(async () => {
    await writer.onModuleDestroy();
    jest.useRealTimers();
  });

  it('writes an open stream again after a write whose outcome is unknown', async () => {
    connections.next({ userId: 1, isConnected: true });
    await writer.tick();
    write.mockImplementationOnce(async () => {
      // The user reconnects before the response is lost.
      connections.next({ userId: 1, isConnected: true });
      throw new Error('Connection lost');
    });
    connections.next({ userId: 1, isConnected: false });
    await expect(writer.tick()).rejects.toThrow('Connection lost');
    await writer.tick();
    expect(write).toHaveBeenCalledTimes(3);
    expect(write.mock.lastCall?.[1]).toMatchObject([{ userId: 1, until: null }]);
  });
});
