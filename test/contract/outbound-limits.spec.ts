import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { TIMINGS } from '../../src/common/timings';
import { NameResolver } from '../../src/outbound/name-resolver';
import type { OutboundAnswer } from '../../src/outbound/outbound-client';
import { clientFor, closeClients, post } from '../support/outbound';
import { Receiver, withStatus } from '../support/webhooks';

describe('Outbound requests', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    closeClients();
    await receiver.close();
  });

  const url = (): string => receiver.url;
  const allowed = '127.0.0.1/32';

  it('succeed when the head has arrived, and cut off an endless body', async () => {
    const broken = new Promise<void>((resolve) => {
      receiver.respond = (response) => {
        response.writeHead(200);
        const write = (): void => {
          if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(write));
        };
        response.on('close', resolve);
        write();
      };
    });
    expect(await post(clientFor(allowed), url())).toEqual({ status: 200, retryAfter: undefined, text: '' });
    await broken;
  });

  it('keep the connection of an unfinished success for at most one second', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'],
    });
    try {
      const broken = new Promise<void>((resolve) => {
        receiver.respond = (response) => {
          response.on('close', resolve);
          response.writeHead(200).write('never finish');
        };
      });
      expect(await post(clientFor(allowed), url())).toMatchObject({ status: 200 });
      jest.advanceTimersByTime(1_000);
      await broken;
    } finally {
      jest.useRealTimers();
    }
  });

  it('reject another protocol without waiting', async () => {
    const server = createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .on('data', () =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
        ),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await post(clientFor(allowed), `http://127.0.0.1:${port}/`)).toBe('no_answer');
    server.close();
  });

  it('read at most 64 KiB of a failure', async () => {
    receiver.respond = (response) => {
      response.writeHead(500);
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(write));
      };
      write();
    };
    const reply = (await post(clientFor(allowed), url())) as OutboundAnswer;
    expect([reply.status, reply.text.length]).toEqual([500, 65_536]);
  });

  it('time out when the receiver sends no response', async () => {
    receiver.respond = () => undefined;
    expect(await post(clientFor(allowed), url(), { withinMs: 50 })).toBe('timeout');
  });

  it('read the part that arrived before a response stalled', async () => {
    receiver.respond = (response) => void response.writeHead(503, { 'retry-after': '7' }).write('half a w');
    const overdue = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(overdue.signal);
    // The client reads the part in this turn of the event loop.
    const received = (): void => void setImmediate(() => overdue.abort());
    subscribe('undici:request:bodyChunkReceived', received);
    const reply = await post(clientFor(allowed), url()).finally(() =>
      unsubscribe('undici:request:bodyChunkReceived', received),
    );
    expect(reply).toEqual({
      status: 503,
      retryAfter: '7',
      text: 'half a w',
    });
  });

  it('reject endless heads', async () => {
    receiver.respond = withStatus(200, { 'x-much': 'x'.repeat(20_000) });
    expect(await post(clientFor(allowed), url())).toBe('UND_ERR_HEADERS_OVERFLOW');
  });

  it('time out while they connect', async () => {
    jest.replaceProperty(TIMINGS, 'connectWithinMs', 50);
    const silent = new (class extends NameResolver {
      protected override ask = (): Promise<LookupAddress[]> => new Promise(() => undefined);
    })();
    expect(await post(clientFor('', silent), 'https://backend.example/')).toBe('connect_timeout');
  });

  it('end when they are aborted', async () => {
    receiver.respond = () => undefined;
    const stopping = new AbortController();
    const reply = post(clientFor(allowed), url(), { signal: stopping.signal });
    stopping.abort();
    expect(await reply).toBe('stopped');
  });
});
