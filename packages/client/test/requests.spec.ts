import { Callboard, CallboardError, type CallboardOptions } from '../src/index.js';
import { failure, page, ScriptedFetch, signedIn, success } from './support/scripted-fetch.js';

/** Creates a client with a token of an identity provider, and a network with the given responses. */
function clientOf(...answers: ConstructorParameters<typeof ScriptedFetch>): {
  client: Callboard;
  network: ScriptedFetch;
} {
  const network = new ScriptedFetch(...answers);
  const client = new Callboard({
    baseUrl: 'http://service.test/',
    fetch: network.fetch,
    token: () => 'token',
  });
  return { client, network };
}

/** Returns the error of a promise. */
const errorOf = async (promise: Promise<unknown>): Promise<CallboardError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallboardError)) throw new Error(`Expected a CallboardError, got ${String(error)}`);
  return error;
};

const message = { path: { id: 3 }, body: { type: 'text', content: 'hello' } } as const;
const busy = (): Response => failure(503, '服务暂不可用');

beforeEach(() => {
  // The fake clock follows the real one, and `soon` advances it further. `performance` stays real.
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['performance'] });
});
afterEach(() => jest.useRealTimers());

/** Awaits a promise while advancing the fake clock as fast as possible. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  promise.then(end, end);
  while (!state.isOver) await jest.advanceTimersByTimeAsync(100);
  return promise;
}

describe('A request', () => {
  it('fills in path, query and body, and returns the data', async () => {
    const { client, network } = clientOf(() => success({ id: 9 }));
    await client.messages.list({ path: { id: 3 }, query: { before_id: 5, mark_read: 0 } });
    await client.messages.search({ query: { keyword: 'a&b', has: ['link', 'attachment'], type: undefined } });
    expect(await client.messages.send(message)).toEqual({ id: 9 });
    expect(network.names).toEqual([
      'GET /api/messages/conversations/3/messages?before_id=5&mark_read=0',
      'GET /api/messages/search?keyword=a%26b&has=link&has=attachment',
      'POST /api/messages/conversations/3/messages',
    ]);
    expect(network.headers('Authorization')).toEqual(['Bearer token', 'Bearer token', 'Bearer token']);
    expect(network.requests[2]?.body).toEqual({ type: 'text', content: 'hello' });
  });

  it('sends a file unchanged, as text or bytes', async () => {
    const { client, network } = clientOf(() => success({ lines: [] }));
    const bytes = new Blob([Uint8Array.of(0xc3, 0xc5)]);
    await client.devices.import({ body: 'serial_no\n', query: { dry_run: 1 } });
    await client.devices.import({ body: bytes });
    expect(network.names).toEqual([
      'POST /api/admin/devices/import?dry_run=1',
      'POST /api/admin/devices/import',
    ]);
    expect(network.headers('Content-Type')).toEqual(['text/csv', 'text/csv']);
    expect(network.requests.map(({ body }) => body)).toEqual(['serial_no\n', bytes]);
  });

  it.each([409, 200])('fails with the code of the envelope when the HTTP status is %i', async (status) => {
    const { client, network } = clientOf(() => failure(41_001, '对方忙线中', { status }));
    const error = await errorOf(client.calls.place({ body: { callee_id: 2 } }));
    expect([error.code, error.message, error.status, error.requestId]).toEqual([
      41_001,
      '对方忙线中',
      status,
      'request-1',
    ]);
    expect(network.names).toEqual(['POST /api/calls']);
  });

  it.each([
    ['对方忙线中', 'The other party is busy'],
    ['name 字段不能为空', 'name must not be empty'],
    ['请求体 必须是对象', 'The request body must be an object'],
    ['content 长度不能超过 4000 个字符', 'content must not be longer than 4000 characters'],
    ['用户不存在: 7, 9', 'Unknown users: 7, 9'],
    ['constructor 取值无效', 'constructor is invalid'],
    ['What nobody knows 7', 'What nobody knows 7'],
  ])('translates the message in both directions: %s', (chinese, english) => {
    for (const error of [new CallboardError(422, chinese), new CallboardError(422, english)])
      expect([error.text('en'), error.text('zh-CN')]).toEqual([english, chinese]);
  });

  it.each([
    [409, ['序列号已存在', 'Another device has this serial number'], { key: 'SERIAL_NO_TAKEN' }],
    [422, ['name 字段不能为空', 'name must not be empty'], { key: 'EMPTY', field: 'name' }],
    [422, ['url 取值无效', 'url is invalid'], { key: 'INVALID', field: 'url' }],
    [422, ['请求体 必须是对象', 'The request body must be an object'], { key: 'NOT_AN_OBJECT' }],
    [
      422,
      ['tags.0 长度不能超过 50 个字符', 'tags.0 must not be longer than 50 characters'],
      { key: 'TOO_LONG', field: 'tags.0', numbers: [50] },
    ],
    [422, ['设备不存在: 7, 9', 'Unknown devices: 7, 9'], { key: 'UNKNOWN_DEVICES', numbers: [7, 9] }],
    [
      422,
      ['分组层级不能超过 10 级', 'Groups must not be more than 10 levels deep'],
      { key: 'TOO_DEEP', numbers: [10] },
    ],
    [41001, ['a message of a later version'], { key: 'CALLEE_BUSY' }],
    [422, ['a message of a later version', 'later'], {}],
    ['network', [undefined], {}],
  ] as const)(
    'names the key, the field and the numbers of error %s in every language: %j',
    (code, messages, expected) => {
      for (const message of messages) {
        const { key, field, numbers } = new CallboardError(code, message);
        expect({ key, field, numbers }).toEqual({
          key: undefined,
          field: undefined,
          numbers: [],
          ...expected,
        });
      }
    },
  );

  it('is repeated with the same idempotency key when the response is lost, the service is overloaded, or a proxy responds', async () => {
    const { client, network } = clientOf(
      'no connection',
      busy,
      () => page(502),
      () => success({ id: 1 }),
    );
    expect(await soon(client.messages.send(message))).toEqual({ id: 1 });
    const keys = network.headers('Idempotency-Key');
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('carries no Idempotency-Key header when the body contains a key', async () => {
    const { client, network } = clientOf(() => success({}));
    await client.messages.send({ path: { id: 3 }, body: { ...message.body, client_msg_id: 'mine' } });
    await client.messages.send({ ...message, idempotencyKey: 'ours' });
    expect(network.headers('Idempotency-Key')).toEqual([null, 'ours']);
  });

  it('is sent at most four times', async () => {
    const { client, network } = clientOf(busy);
    expect((await errorOf(soon(client.conversations.list()))).code).toBe(503);
    expect(network.requests).toHaveLength(4);
  });

  it('is sent once when repeating it would take effect twice', async () => {
    const { client, network } = clientOf('no connection');
    const test = client.webhooks.test({ path: { id: 1 } });
    expect((await errorOf(soon(test))).code).toBe('network');
    expect(network.requests).toHaveLength(1);
  });

  it.each([
    [
      'a password',
      (client: Callboard) =>
        client.identity.changeOwnPassword({ body: { old_password: 'a', new_password: 'b' } }),
    ],
    [
      'the owner of a group',
      (client: Callboard) => client.conversations.changeOwner({ path: { id: 3 }, body: { user_id: 9 } }),
    ],
    ['a group that is dissolved', (client: Callboard) => client.conversations.delete({ path: { id: 3 } })],
    [
      'a member that leaves',
      (client: Callboard) => client.conversations.removeMember({ path: { id: 3, userId: 7 } }),
    ],
    ['several devices', (client: Callboard) => client.devices.deleteMany({ body: { device_ids: [3, 4] } })],
  ])('is sent once when it would be rejected the second time: %s', async (_, send) => {
    const { client, network } = clientOf('no connection', () => failure(403, '无权操作'));
    expect((await errorOf(soon<unknown>(send(client)))).code).toBe('network');
    expect(network.requests).toHaveLength(1);
  });

  it('succeeds when a repeated deletion finds no object', async () => {
    const { client, network } = clientOf('no connection', () => failure(404, '设备不存在'));
    expect(await soon(client.devices.delete({ path: { id: 3 } }))).toBeNull();
    expect(network.requests).toHaveLength(2);
  });

  it('fails with 404 when a deletion that was not executed before finds no object', async () => {
    const { client } = clientOf(
      () => failure(429, '请求过于频繁'),
      () => failure(404, '设备不存在'),
    );
    expect((await errorOf(soon(client.devices.delete({ path: { id: 3 } })))).code).toBe(404);
  });

  it('waits for a short Retry-After before it is repeated', async () => {
    const { client, network } = clientOf(
      () => failure(429, '请求过于频繁', { 'Retry-After': '3' }),
      () => success({ items: [] }),
    );
    const begin = Date.now();
    await soon(client.conversations.list());
    expect(Date.now() - begin).toBeGreaterThanOrEqual(3000);
    expect(network.requests).toHaveLength(2);
  });

  it('fails without a retry when Retry-After is long', async () => {
    const { client, network } = clientOf(() => failure(429, '请求过于频繁', { 'Retry-After': '900' }));
    const error = await errorOf(client.conversations.list());
    expect([error.code, error.retryAfter, error.isTransient]).toEqual([429, 900, true]);
    expect(network.requests).toHaveLength(1);
  });

  it.each(['<html>', '', 'null', '[]', '{"code":0}', '{"code":"0","message":"","data":1}'])(
    'fails with not_callboard when the response is not an envelope: %s',
    async (text) => {
      const { client, network } = clientOf(() => new Response(text));
      const error = await errorOf(client.conversations.list());
      expect([error.code, error.status, error.isTransient]).toEqual(['not_callboard', 200, false]);
      expect(network.requests).toHaveLength(1);
    },
  );

  it('times out after 30 s without a response', async () => {
    const silent = (_: unknown, signal?: AbortSignal): Promise<Response> =>
      new Promise((__, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      );
    const { client, network } = clientOf(silent);
    const begin = Date.now();
    expect((await errorOf(soon(client.webhooks.test({ path: { id: 1 } })))).code).toBe('timeout');
    expect(Date.now() - begin).toBeGreaterThanOrEqual(30_000);
    expect(network.requests).toHaveLength(1);
  });

  it('fails with the reason of its signal when that aborts between two attempts', async () => {
    const { client, network } = clientOf(busy);
    const giveUp = new AbortController();
    const listing = client.conversations.list({ signal: giveUp.signal });
    const reason = new Error('Enough');
    setTimeout(() => giveUp.abort(reason), 50);
    await expect(soon(listing)).rejects.toBe(reason);
    expect(network.requests).toHaveLength(1);
  });
});

describe('A rejected token', () => {
  it('is replaced once, and the request is repeated with the same idempotency key', async () => {
    const given: (string | undefined)[] = [];
    const network = new ScriptedFetch(
      () => failure(401, '未授权'),
      () => success({ id: 1 }),
    );
    const token: CallboardOptions['token'] = (refused) => {
      given.push(refused);
      return given.includes('old') ? 'new' : 'old';
    };
    const client = new Callboard({ baseUrl: 'http://service.test', fetch: network.fetch, token });
    await client.messages.send(message);
    expect(network.headers('Authorization')).toEqual(['Bearer old', 'Bearer new']);
    expect(new Set(network.headers('Idempotency-Key')).size).toBe(1);
    expect(given).toEqual([undefined, 'old', undefined]);
  });

  it.each([401, 200])(
    'fails the request with 401 when the new token is rejected as well (HTTP status %i)',
    async (status) => {
      const network = new ScriptedFetch(
        () => signedIn(),
        () => failure(401, '未授权', { status }),
        () => signedIn(),
        () => failure(401, '未授权', { status }),
      );
      const client = new Callboard({ baseUrl: 'http://service.test', fetch: network.fetch });
      await client.session.logIn('amy', 'secret');
      expect((await errorOf(client.conversations.list())).code).toBe(401);
      expect(network.names).toEqual([
        'POST /api/auth/login',
        'GET /api/messages/conversations',
        'POST /api/auth/refresh',
        'GET /api/messages/conversations',
      ]);
    },
  );
});
