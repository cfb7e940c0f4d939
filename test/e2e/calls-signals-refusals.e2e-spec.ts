import type { Stage } from '../support/calls';
import { LIVEKIT } from '../support/media-webhooks';
import { routesOf } from '../support/routes';
import {
  createOffer,
  createSignallingCall,
  CANDIDATE,
  createWebrtcApp,
  DONE,
  OFFER,
  signalsOf,
  WEBRTC,
} from '../support/signals';
import { createTestApp, START, type TestApp } from '../support/test-app';

/**
 * API 5.5 over HTTP, the row of signals, by the terminal in the call and by another one: one response of each kind.
 * call-state.rules.spec.ts has all of them.
 */
const TABLE: [who: 'caller' | 'callee' | 'stranger', terminal: string, stage: Stage, code: number][] = [
  ['caller', 'desk', 'accepted', 0],
  ['caller', 'another', 'accepted', 41006],
  // The callee has no terminal in a ringing call.
  ['callee', 'another', 'ringing', 41009],
  ['caller', 'desk', 'ended', 41007],
  ['stranger', 'phone', 'accepted', 41010],
];

const REFUSALS: Record<number, [status: number, message: string]> = {
  41006: [409, '已被其他终端接听'],
  41007: [409, '通话已结束'],
  41009: [409, '通话未接听'],
  41010: [403, '非参与方'],
};

const candidate = (parts: object): object => ({
  signal_id: 'a',
  session_id: 's',
  candidates: [CANDIDATE, { candidate: 'c', ...parts }],
});
const description = (parts: object): object => ({
  signal_id: 'a',
  session_id: 's',
  description: { ...OFFER, ...parts },
});

/** Invalid bodies with the message of the 422: that of the first invalid field, in the order of API 6.4. */
const BODIES: [body: object, message: string][] = [
  [{}, 'signal_id 字段不能为空'],
  [{ terminal_id: 'x'.repeat(65) }, 'terminal_id 长度不能超过 64 个字符'],
  [{ signal_id: 7 }, 'signal_id 必须是字符串'],
  [{ signal_id: ' ' }, 'signal_id 字段不能为空'],
  [{ signal_id: 'x'.repeat(65) }, 'signal_id 长度不能超过 64 个字符'],
  [{ signal_id: 'a\0' }, 'signal_id 取值无效'],
  [{ signal_id: 'a', session_id: 'x'.repeat(65) }, 'session_id 长度不能超过 64 个字符'],
  [{ signal_id: 'a', session_id: {} }, 'session_id 必须是字符串'],
  [{ signal_id: 'a', session_id: 's' }, 'description 字段不能为空'],
  [{ signal_id: 'a', session_id: 's', candidates: [] }, 'description 字段不能为空'],
  [{ signal_id: 'a', session_id: 's', description: null, candidates: null }, 'description 字段不能为空'],
  [{ signal_id: 'a', description: OFFER }, 'session_id 字段不能为空'],
  [{ signal_id: 'a', session_id: '', candidates: [CANDIDATE] }, 'session_id 字段不能为空'],
  [{ signal_id: 'a', description: 'v=0' }, 'session_id 字段不能为空'],
  [{ signal_id: 'a', session_id: 's', description: 'v=0' }, 'description 必须是对象'],
  [{ signal_id: 'a', session_id: 's', description: [OFFER] }, 'description 必须是对象'],
  [description({ type: undefined }), 'type 字段不能为空'],
  [description({ type: '' }), 'type 字段不能为空'],
  [description({ type: 'pranswer' }), 'type 取值无效'],
  [description({ type: ['offer'] }), 'type 取值无效'],
  [description({ type: 'rollback', sdp: 7 }), 'type 取值无效'],
  [description({ sdp: undefined }), 'sdp 字段不能为空'],
  [description({ sdp: '' }), 'sdp 字段不能为空'],
  [description({ sdp: 7 }), 'sdp 必须是字符串'],
  [description({ sdp: 'o=- v=0' }), 'sdp 取值无效'],
  [description({ sdp: 'v=0\0' }), 'sdp 取值无效'],
  [description({ sdp: 'v=0\ud800' }), 'sdp 取值无效'],
  [description({ sdp: `v=0${'x'.repeat(32_766)}` }), 'sdp 长度不能超过 32768 个字符'],
  [{ signal_id: 'a', session_id: 's', candidates: {} }, 'candidates 必须是数组'],
  [{ signal_id: 'a', session_id: 's', candidates: ['c'] }, 'candidates 取值无效'],
  [{ signal_id: 'a', session_id: 's', candidates: [null] }, 'candidates 取值无效'],
  [
    { signal_id: 'a', session_id: 's', candidates: Array.from({ length: 101 }, () => ({ candidate: '' })) },
    'candidates 数量不能超过 100',
  ],
  [candidate({ candidate: undefined }), 'candidate 字段不能为空'],
  [candidate({ candidate: null }), 'candidate 字段不能为空'],
  [candidate({ candidate: 7 }), 'candidate 必须是字符串'],
  [candidate({ candidate: 'x'.repeat(1_025) }), 'candidate 长度不能超过 1024 个字符'],
  [candidate({ sdpMid: 0 }), 'sdpMid 必须是字符串'],
  [candidate({ sdpMid: 'x'.repeat(65) }), 'sdpMid 长度不能超过 64 个字符'],
  [candidate({ sdpMLineIndex: '0' }), 'sdpMLineIndex 必须是整数'],
  [candidate({ sdpMLineIndex: 0.5 }), 'sdpMLineIndex 必须是整数'],
  [candidate({ sdpMLineIndex: -1 }), 'sdpMLineIndex 不能小于 0'],
  [candidate({ sdpMLineIndex: 256 }), 'sdpMLineIndex 不能大于 255'],
  [candidate({ usernameFragment: true }), 'usernameFragment 必须是字符串'],
  [candidate({ usernameFragment: 'x'.repeat(257) }), 'usernameFragment 长度不能超过 256 个字符'],
];

/** The largest values that are accepted. */
const LARGEST: object[] = [
  { signal_id: 'x'.repeat(64), session_id: '界'.repeat(64), description: OFFER },
  description({ sdp: `v=0${'x'.repeat(32_765)}` }),
  candidate({
    candidate: 'x'.repeat(1_024),
    sdpMid: 'x'.repeat(64),
    sdpMLineIndex: 255,
    usernameFragment: 'x'.repeat(256),
  }),
  {
    signal_id: 'hundred',
    session_id: 's',
    candidates: Array.from({ length: 100 }, () => ({ candidate: '' })),
  },
];

const TOO_LARGE = { code: 413, message: '请求体过大', data: null };
const NO_SUCH_CALL = { code: 404, message: '通话不存在', data: null };

/** Returns a signal whose JSON has a number of bytes. */
function signalOfBytes(bytes: number): string {
  const body = (filling: string): string =>
    JSON.stringify({ terminal_id: 'desk', signal_id: 'large', filling, ...createOffer() });
  return body('x'.repeat(bytes - body('').length));
}

describe('POST /api/calls/{callId}/signals', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  it.each(TABLE)(
    'by the %s from terminal "%s" on a call in state %s returns %i',
    async (who, terminal_id, stage, code) => {
      const fixture = await createSignallingCall(test.api, stage);
      const before = await fixture.record();
      const response = await fixture.signal(who, createOffer({ terminal_id }));
      const [status = 200, message = '操作成功'] = REFUSALS[code] ?? [];
      expect([response.status, response.body]).toEqual([status, { code, message, data: null }]);
      expect(await fixture.record()).toEqual(before);
      const received = [...(await signalsOf(fixture.caller)), ...(await signalsOf(fixture.callee))];
      expect(received).toHaveLength(code === 0 ? 1 : 0);
    },
  );

  it.each(BODIES)('rejects %j', async (body, message) => {
    const user = await test.api.as({ id: 1 });
    const response = await user.post('/api/calls/999999999/signals', body);
    expect([response.status, response.body]).toEqual([422, { code: 422, message, data: null }]);
  });

  it.each(LARGEST.map((body) => [JSON.stringify(body).slice(0, 80), body]))(
    'accepts %s…',
    async (_, body) => {
      const fixture = await createSignallingCall(test.api);
      expect((await fixture.signal('caller', body)).body).toEqual(DONE);
    },
  );

  it('returns 404 for an unknown call', async () => {
    const user = await test.api.as({ id: 1 });
    const response = await user.post('/api/calls/999999999/signals', createOffer());
    expect([response.status, response.body]).toEqual([404, NO_SUCH_CALL]);
  });

  it('accepts at most 65,536 bytes of any content, after checking only the token', async () => {
    const fixture = await createSignallingCall(test.api);
    const path = `/api/calls/${fixture.id}/signals`;
    expect((await fixture.caller.post(path, signalOfBytes(65_536))).body).toEqual(DONE);
    const responses = [
      await fixture.caller.post(path, signalOfBytes(65_537)),
      await fixture.caller.post(path, 'x'.repeat(65_537)),
      await fixture.caller.with({ 'content-type': 'text/plain' }).post(path, 'x'.repeat(65_537)),
      await fixture.caller.post(path, 'x'.repeat(1_048_577)),
      await fixture.caller.post('/api/calls/zero/signals', signalOfBytes(65_537)),
      await fixture.stranger.post('/api/calls/999999999/signals', signalOfBytes(65_537)),
    ];
    for (const { status, body } of responses) expect([status, body]).toEqual([413, TOO_LARGE]);
    expect((await test.api.post(path, signalOfBytes(65_537))).status).toBe(401);
    expect(await signalsOf(fixture.callee)).toHaveLength(1);
  });

  it('checks the path, body, existence, permission and state in order', async () => {
    const ended = await createSignallingCall(test.api, 'ended');
    const user = await test.api.as({ id: 1 });
    expect((await user.post('/api/calls/zero/signals', {})).body.message).toBe('callId 必须是整数');
    expect((await user.post('/api/calls/999999999/signals', {})).body.message).toBe('signal_id 字段不能为空');
    expect((await ended.signal('stranger', createOffer())).body.code).toBe(41010);
    expect((await ended.signal('caller', createOffer({ terminal_id: 'another' }))).body.code).toBe(41007);
  });

  it('returns a call that should have ended as ended', async () => {
    const fixture = await createSignallingCall(test.api);
    test.clock.advance(14_400);
    expect((await fixture.signal('caller', createOffer())).body.code).toBe(41007);
    expect(await fixture.record()).toMatchObject({ status: 'ended', end_reason: 'max_duration' });
  });

  it('accepts 200 of each user within two minutes, not counting repetitions', async () => {
    const fixture = await createSignallingCall(test.api);
    const first = createOffer();
    expect((await fixture.signal('caller', first)).body).toEqual(DONE);
    test.clock.advance(30);
    for (let count = 1; count < 200; count += 1)
      expect((await fixture.signal('caller', createOffer())).body).toEqual(DONE);
    test.clock.advance(0.5);
    const tooMany = await fixture.signal('caller', createOffer());
    expect([tooMany.status, tooMany.body]).toEqual([429, { code: 429, message: '请求过于频繁', data: null }]);
    expect(tooMany.headers['retry-after']).toBe('90');
    expect((await fixture.signal('caller', first)).body).toEqual(DONE);
    expect((await fixture.signal('callee', createOffer())).body).toEqual(DONE);

    // Without reports, the leases would end the call.
    await fixture.perform(fixture.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
    test.clock.advance(50);
    await fixture.perform(fixture.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
    test.clock.advance(39.5);
    expect((await fixture.signal('caller', createOffer())).body).toEqual(DONE);
    const next = await fixture.signal('caller', createOffer());
    expect([next.body.code, next.headers['retry-after']]).toEqual([429, '30']);
  });
});

describe('The signal routes', () => {
  it.each([
    ['agora', {}, '/api/media/webhooks/agora'],
    ['livekit', LIVEKIT, '/api/media/webhooks/livekit'],
  ])('are missing with %s', async (_, env, webhook) => {
    const test = await createTestApp({ env });
    const fixture = await createSignallingCall(test.api);
    const response = await fixture.signal('caller', createOffer());
    expect([response.status, response.body]).toEqual([404, { code: 404, message: '接口不存在', data: null }]);
    expect(await routesOf(test.app)).toContain(`POST ${webhook}`);
    await test.close();
  });

  it('replace the webhooks with the built-in provider, and are documented', async () => {
    const test = await createTestApp({ env: WEBRTC });
    const routes = await routesOf(test.app);
    expect(routes).toContain('POST /api/calls/:callId/signals');
    expect(routes.filter((route) => route.includes('/media/webhooks/'))).toEqual([]);
    const { paths } = (await test.api.get('/docs-json')).body as { paths: Record<string, object> };
    expect(Object.keys(paths)).toContain('/api/calls/{callId}/signals');
    expect((await test.api.post('/api/calls/1/signals', {})).body).toEqual({
      code: 401,
      message: '未授权',
      data: null,
    });
    await test.close();
  });

  it('return the configuration of RTCPeerConnection', async () => {
    const test = await createTestApp({
      env: { ...WEBRTC, TURN_URLS: 'turn:turn.example', TURN_SECRET: 'north', RTC_TOKEN_TTL_SECONDS: '60' },
    });
    const fixture = await createSignallingCall(test.api);
    const { channel_name } = await fixture.record();
    const renewed = (await fixture.perform(fixture.caller, 'token')).body.data;
    expect(renewed).toMatchObject({ app_id: 'webrtc', expire_at: '2026-01-31T08:01:00.000Z', channel_name });
    expect(JSON.parse(renewed.rtc_token)).toEqual({
      iceServers: [
        {
          urls: ['turn:turn.example'],
          username: `1769846460:${channel_name}.${renewed.uid}`,
          credential: expect.stringMatching(/^[\w+/]{27}=$/),
        },
      ],
      iceTransportPolicy: 'all',
    });
    await test.close();
  });
});
