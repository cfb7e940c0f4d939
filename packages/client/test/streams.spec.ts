import { Callboard, type CallboardOptions, type UserEvent } from '../src/index.js';
import { failure, page, ScriptedFetch, success } from './support/scripted-fetch.js';

const encoder = new TextEncoder();

/** An event stream whose frames the test sends. */
class Line {
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  wasGivenUp = false;

  readonly answer = (_: unknown, signal?: AbortSignal): Response => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        const giveUp = (): void => {
          this.wasGivenUp = true;
          controller.error(new DOMException('', 'AbortError'));
        };
        if (signal?.aborted) giveUp();
        else signal?.addEventListener('abort', giveUp);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
  };

  say(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
  }

  tell(content: string, id?: number): void {
    const data = JSON.stringify({ type: 'message.created', message: { content } });
    this.say(`${id === undefined ? '' : `id: ${id}\n`}event: message.created\ndata: ${data}\n\n`);
  }

  end(): void {
    this.#controller?.close();
  }

  break(): void {
    this.#controller?.error(new TypeError('terminated'));
  }
}

const contentOf = (event: UserEvent): string =>
  event.type === 'message.created' ? event.message.content : event.type;

/** Starts a client that follows the events, and records what it receives. */
function follow(network: ScriptedFetch, options: CallboardOptions = {}, after: number | null = 41) {
  const client = new Callboard({
    baseUrl: 'http://service.test',
    fetch: network.fetch,
    token: () => 'token',
    ...options,
  });
  const ending = new AbortController();
  const heard: unknown[] = [];
  const over = client.events
    .follow({
      after: after ?? undefined,
      signal: ending.signal,
      onEvent: (event, id) => heard.push(id === undefined ? contentOf(event) : [id, contentOf(event)]),
      onState: (state) => heard.push(state),
      onResync: (cursor) => heard.push({ cursor }),
    })
    .then(
      () => 'ended',
      (error: { code?: unknown }) => error.code,
    );
  return { client, heard, over, end: () => ending.abort() };
}

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('An event stream', () => {
  it('resumes after the last dispatched event', async () => {
    const lines = [new Line(), new Line()];
    const network = new ScriptedFetch(...lines.map(({ answer }) => answer));
    const { heard, end, over } = follow(network);
    await pass(0);
    lines[0]?.tell('one', 42);
    lines[0]?.tell('live alone');
    await pass(10);
    lines[0]?.break();
    await pass(500);
    lines[1]?.tell('two', 43);
    await pass(10);
    end();
    expect(await over).toBe('ended');
    expect(heard).toEqual([
      'connecting',
      'live',
      [42, 'one'],
      'live alone',
      'waiting',
      'connecting',
      'live',
      [43, 'two'],
    ]);
    expect(network.headers('Last-Event-ID')).toEqual(['41', '42']);
  });

  it('starts at the newest event when no cursor is given, and keeps that cursor over a failure', async () => {
    const line = new Line();
    const network = new ScriptedFetch(
      () => success(null, { 'X-Event-Cursor': '7' }),
      () => page(502),
      line.answer,
    );
    const { end } = follow(network, {}, null);
    await pass(1000);
    end();
    expect(network.names).toEqual(['GET /api/calls/active', 'GET /api/events', 'GET /api/events']);
    expect(network.headers('Last-Event-ID')).toEqual([null, '7', '7']);
  });

  it('is aborted after 40 s without data, but not while comments arrive', async () => {
    const lines = [new Line(), new Line()];
    const { end } = follow(new ScriptedFetch(...lines.map(({ answer }) => answer)));
    for (let comments = 0; comments < 4; comments += 1) {
      await pass(15_000);
      lines[0]?.say(': still here\n\n');
    }
    await pass(39_000);
    expect(lines[0]?.wasGivenUp).toBe(false);
    await pass(1_001);
    expect(lines[0]?.wasGivenUp).toBe(true);
    end();
  });

  it('reports a resync, and continues after its cursor', async () => {
    const line = new Line();
    const network = new ScriptedFetch(line.answer, new Line().answer);
    const { heard, end } = follow(network);
    await pass(0);
    line.say('id: 99\nevent: resync\ndata: {"type":"resync","created_at":"2026-01-31T08:00:00.000Z"}\n\n');
    await pass(10);
    line.end();
    await pass(500);
    end();
    expect(heard).toContainEqual({ cursor: 99 });
    expect(network.headers('Last-Event-ID')).toEqual(['41', '99']);
  });

  it('reconnects with delays that double up to 30 s', async () => {
    const network = new ScriptedFetch('no connection');
    const { end } = follow(network);
    const counts: number[] = [];
    for (const wait of [0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await pass(wait);
      counts.push(network.requests.length);
    }
    end();
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is reopened with growing delays when each connection ends immediately', async () => {
    const short = (): Response =>
      new Response(': callboard\n\n', { headers: { 'Content-Type': 'text/event-stream' } });
    const network = new ScriptedFetch(short);
    const { end } = follow(network);
    await pass(60_000);
    end();
    expect(network.requests.length).toBeLessThanOrEqual(8);
  });

  it('waits for Retry-After before it is reopened', async () => {
    const network = new ScriptedFetch(() => failure(503, '服务暂不可用', { 'Retry-After': '20' }));
    const { end } = follow(network);
    await pass(19_900);
    expect(network.requests).toHaveLength(1);
    await pass(200);
    expect(network.requests).toHaveLength(2);
    end();
  });

  it('rejects a page of a proxy', async () => {
    const { heard, end } = follow(new ScriptedFetch(() => page(200)));
    await pass(100);
    end();
    expect(heard).toEqual(['connecting', 'waiting']);
  });

  it.each([401, 200])(
    'ends with 401 when a new token is rejected as well (HTTP status %i)',
    async (status) => {
      const network = new ScriptedFetch(() => failure(401, '未授权', { status }));
      let given = 0;
      const { over } = follow(network, { token: () => `token ${(given += 1)}` });
      await pass(100);
      expect(await over).toBe(401);
      expect(network.requests).toHaveLength(2);
    },
  );

  it.each(['share', 'follow'] as const)(
    'ends when its signal aborts immediately after the call (%s)',
    async (name) => {
      const network = new ScriptedFetch(new Line().answer);
      const client = new Callboard({
        baseUrl: 'http://service.test',
        fetch: network.fetch,
        token: () => 'token',
      });
      const ending = new AbortController();
      const following = client.events[name]({ after: 1, signal: ending.signal });
      ending.abort();
      await pass(60_000);
      expect(await following).toBeUndefined();
      expect(network.requests.length).toBeLessThan(2);
    },
  );

  it('continues when a listener throws', async () => {
    const line = new Line();
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: new ScriptedFetch(line.answer).fetch,
      token: () => 'token',
    });
    const reported = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined);
    const ending = new AbortController();
    const heard: string[] = [];
    const onEvent = (event: UserEvent): void => {
      heard.push(contentOf(event));
      if (heard.length === 1) throw new Error('A mistake of the application');
    };
    void client.events.follow({ after: 1, signal: ending.signal, onEvent });
    await pass(0);
    line.tell('one', 2);
    line.tell('two', 3);
    await pass(10);
    ending.abort();
    expect(heard).toEqual(['one', 'two']);
    expect(reported).toHaveBeenCalled();
  });
});

describe('Polling without readable streams', () => {
  const items = (...ids: number[]): object[] =>
    ids.map((id) => ({ id, type: 'message.created', message: { content: `m${id}` } }));
  const answer =
    (next_after: number, ...ids: number[]) =>
    () =>
      success({ items: items(...ids), next_after });

  it('polls every 3 s, and dispatches each event once when a poll in between fails', async () => {
    const network = new ScriptedFetch(
      answer(43, 42, 43),
      () => failure(500, '服务器内部错误'),
      answer(44, 44),
      answer(44),
    );
    const { heard, end, over } = follow(network, { canStream: false });
    await pass(4_000);
    end();
    await pass(0);
    expect(await over).toBe('ended');
    expect(heard).toEqual([
      'connecting',
      [42, 'm42'],
      [43, 'm43'],
      'waiting',
      'connecting',
      [44, 'm44'],
      'live',
    ]);
    expect(network.names.slice(0, 3)).toEqual([
      'GET /api/events/poll?after=41&limit=500',
      'GET /api/events/poll?after=43&limit=500',
      'GET /api/events/poll?after=43&limit=500',
    ]);
  });

  it('reports live every 30 s, so that data without a cursor is refetched', async () => {
    const { heard, end } = follow(new ScriptedFetch(answer(41)), { canStream: false });
    await pass(61_000);
    end();
    expect(heard).toEqual(['connecting', 'live', 'live', 'live']);
  });
});
