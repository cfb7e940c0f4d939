import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { NameResolver } from '../../src/outbound/name-resolver';
import type { OutboundAnswer } from '../../src/outbound/outbound-client';
import { clientFor, closeClients, post } from '../support/outbound';
import { Receiver, withStatus } from '../support/webhooks';

describe('The way out is limited:', () => {
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

  it('a success is one as soon as its head is there, and an endless one is broken off', async () => {
    const broken = new Promise<void>((resolve) => {
      receiver.answering = (response) => {
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

  it('a success whose end does not come keeps its connection for a second at most', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'],
    });
    try {
      const broken = new Promise<void>((resolve) => {
        receiver.answering = (response) => {
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

  it('a receiver that wants another protocol gets none, and is not waited for', async () => {
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

  it('of an endless failure 64 KiB are read', async () => {
    receiver.answering = (response) => {
      response.writeHead(500);
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(write));
      };
      write();
    };
    const answer = (await post(clientFor(allowed), url())) as OutboundAnswer;
    expect([answer.status, answer.text.length]).toEqual([500, 65_536]);
  });

  it('a receiver that says nothing is not waited for', async () => {
    receiver.answering = () => undefined;
    expect(await post(clientFor(allowed), url(), { withinMs: 50 })).toBe('timeout');
  });

  it('of one that stops in the middle it counts what had come', async () => {
    receiver.answering = (response) => void response.writeHead(503, { 'retry-after': '7' }).write('half a w');
    const overdue = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(overdue.signal);
    // The head and the first part come together, and are read within a few turns of the event loop.
    const abort = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      overdue.abort();
    };
    const heard = (): void => void abort();
    subscribe('http.client.response.finish', heard);
    const answer = await post(clientFor(allowed), url()).finally(() =>
      unsubscribe('http.client.response.finish', heard),
    );
    expect(answer).toEqual({
      status: 503,
      retryAfter: '7',
      text: 'half a w',
    });
  });

  it('heads are not endless either', async () => {
    receiver.answering = withStatus(200, { 'x-much': 'x'.repeat(20_000) });
    expect(await post(clientFor(allowed), url())).toBe('HPE_HEADER_OVERFLOW');
  });

  it('connecting takes five seconds at most', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'],
    });
    try {
      const silent = new (class extends NameResolver {
        protected override ask = (): Promise<LookupAddress[]> => new Promise(() => undefined);
      })();
      const answer = post(clientFor('', silent), 'https://backend.example/');
      await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(4_999);
      expect(jest.getTimerCount()).toBeGreaterThan(0);
      jest.advanceTimersByTime(1);
      expect(await answer).toBe('connect_timeout');
    } finally {
      jest.useRealTimers();
    }
  });

  it('an end is one when it is asked for', async () => {
    receiver.answering = () => undefined;
    const stopping = new AbortController();
    const answer = post(clientFor(allowed), url(), { signal: stopping.signal });
    stopping.abort();
    expect(await answer).toBe('stopped');
  });
});
