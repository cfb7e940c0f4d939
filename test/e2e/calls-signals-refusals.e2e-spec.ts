import type { Stage } from '../support/calls';
import { LIVEKIT } from '../support/media-notices';
import { routesOf } from '../support/routes';
import {
  anOffer,
  aSignallingCall,
  CANDIDATE,
  createWebrtcApp,
  DONE,
  OFFER,
  signalsOf,
  WEBRTC,
} from '../support/signals';
import { createTestApp, START, type TestApp } from '../support/test-app';

const STAGES: Stage[] = ['ringing', 'accepted', 'ongoing', 'rejected', 'cancelled', 'ended'];

/** API 5.5 over HTTP, the row of signals: the code of each answer, by the terminal in the call and by another one. */
const TABLE: [who: 'caller' | 'callee' | 'stranger', terminal: string, codes: number[]][] = [
  ['caller', 'desk', [41009, 0, 0, 41007, 41007, 41007]],
  ['callee', 'phone', [41009, 0, 0, 41007, 41007, 41007]],
  // 41007 comes before 41006, which comes before 41009; while it rings the callee has no terminal in the call yet.
  ['caller', 'another', [41006, 41006, 41006, 41007, 41007, 41007]],
  ['callee', 'another', [41009, 41006, 41006, 41007, 41007, 41007]],
  ['stranger', 'phone', [41010, 41010, 41010, 41010, 41010, 41010]],
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

/** Bodies, and the 422 that each meets: the first failing field, in the order of API 6.4. */
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

/** The largest of everything, which is taken. */
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

/** A signal of so many bytes as JSON. */
function signalOfBytes(bytes: number): string {
  const body = (filling: string): string =>
    JSON.stringify({ terminal_id: 'desk', signal_id: 'large', filling, ...anOffer() });
  return body('x'.repeat(bytes - body('').length));
}

describe('POST /api/calls/{callId}/signals', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe.each(TABLE)('by the %s from terminal "%s"', (who, terminal_id, codes) => {
    it.each(STAGES.map((stage, column) => [stage, codes[column] ?? -1] as const))(
      'finds %s: %i',
      async (stage, code) => {
        const scene = await aSignallingCall(test.api, stage);
        const before = await scene.record();
        const answer = await scene.signal(who, anOffer({ terminal_id }));
        const [status = 200, message = '操作成功'] = REFUSALS[code] ?? [];
        expect([answer.status, answer.body]).toEqual([status, { code, message, data: null }]);
        expect(await scene.record()).toEqual(before);
        const heard = [...(await signalsOf(scene.caller)), ...(await signalsOf(scene.callee))];
        expect(heard).toHaveLength(code === 0 ? 1 : 0);
      },
    );
  });

  it.each(BODIES)('refuses %j', async (body, message) => {
    const user = await test.api.as({ id: 1 });
    const answer = await user.post('/api/calls/999999999/signals', body);
    expect([answer.status, answer.body]).toEqual([422, { code: 422, message, data: null }]);
  });

  it.each(LARGEST.map((body) => [JSON.stringify(body).slice(0, 80), body]))('takes %s…', async (_, body) => {
    const scene = await aSignallingCall(test.api);
    expect((await scene.signal('caller', body)).body).toEqual(DONE);
  });

  it('of an unknown call is 404', async () => {
    const user = await test.api.as({ id: 1 });
    const answer = await user.post('/api/calls/999999999/signals', anOffer());
    expect([answer.status, answer.body]).toEqual([404, NO_SUCH_CALL]);
  });

  it('takes 65,536 bytes and no more, whatever they are; only the token is asked for before', async () => {
    const scene = await aSignallingCall(test.api);
    const path = `/api/calls/${scene.id}/signals`;
    expect((await scene.caller.post(path, signalOfBytes(65_536))).body).toEqual(DONE);
    const answers = [
      await scene.caller.post(path, signalOfBytes(65_537)),
      await scene.caller.post(path, 'x'.repeat(65_537)),
      await scene.caller.with({ 'content-type': 'text/plain' }).post(path, 'x'.repeat(65_537)),
      await scene.caller.post(path, 'x'.repeat(1_048_577)),
      await scene.caller.post('/api/calls/zero/signals', signalOfBytes(65_537)),
      await scene.stranger.post('/api/calls/999999999/signals', signalOfBytes(65_537)),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([413, TOO_LARGE]);
    expect((await test.api.post(path, signalOfBytes(65_537))).status).toBe(401);
    expect(await signalsOf(scene.callee)).toHaveLength(1);
  });

  it('is asked in order: path, body, existence, right, state', async () => {
    const ended = await aSignallingCall(test.api, 'ended');
    const user = await test.api.as({ id: 1 });
    expect((await user.post('/api/calls/zero/signals', {})).body.message).toBe('callId 必须是整数');
    expect((await user.post('/api/calls/999999999/signals', {})).body.message).toBe('signal_id 字段不能为空');
    expect((await ended.signal('stranger', anOffer())).body.code).toBe(41010);
    expect((await ended.signal('caller', anOffer({ terminal_id: 'another' }))).body.code).toBe(41007);
  });

  it('finds a call that should have ended ended', async () => {
    const scene = await aSignallingCall(test.api);
    test.clock.advance(14_400);
    expect((await scene.signal('caller', anOffer())).body.code).toBe(41007);
    expect(await scene.record()).toMatchObject({ status: 'ended', end_reason: 'max_duration' });
  });

  it('takes 200 of each user within two minutes; a repetition is none too many', async () => {
    const scene = await aSignallingCall(test.api);
    const first = anOffer();
    expect((await scene.signal('caller', first)).body).toEqual(DONE);
    test.clock.advance(30);
    for (let count = 1; count < 200; count += 1)
      expect((await scene.signal('caller', anOffer())).body).toEqual(DONE);
    test.clock.advance(0.5);
    const tooMany = await scene.signal('caller', anOffer());
    expect([tooMany.status, tooMany.body]).toEqual([429, { code: 429, message: '请求过于频繁', data: null }]);
    expect(tooMany.headers['retry-after']).toBe('90');
    expect((await scene.signal('caller', first)).body).toEqual(DONE);
    expect((await scene.signal('callee', anOffer())).body).toEqual(DONE);

    // The lease of both ended the call but for reports.
    await scene.act(scene.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
    test.clock.advance(50);
    await scene.act(scene.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
    test.clock.advance(39.5);
    expect((await scene.signal('caller', anOffer())).body).toEqual(DONE);
    const next = await scene.signal('caller', anOffer());
    expect([next.body.code, next.headers['retry-after']]).toEqual([429, '30']);
  });
});

describe('The routes of calls', () => {
  it.each([
    ['agora', {}, '/api/media/webhooks/agora'],
    ['livekit', LIVEKIT, '/api/media/webhooks/livekit'],
  ])('have no signals with %s', async (_, env, webhook) => {
    const test = await createTestApp({ env });
    const scene = await aSignallingCall(test.api);
    const answer = await scene.signal('caller', anOffer());
    expect([answer.status, answer.body]).toEqual([404, { code: 404, message: '接口不存在', data: null }]);
    expect(await routesOf(test.app)).toContain(`POST ${webhook}`);
    await test.close();
  });

  it('have signals and no webhooks with the built-in provider, and signals are documented there', async () => {
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

  it('answer what RTCPeerConnection is made with', async () => {
    const test = await createTestApp({
      env: { ...WEBRTC, TURN_URLS: 'turn:turn.example', TURN_SECRET: 'north', RTC_TOKEN_TTL_SECONDS: '60' },
    });
    const scene = await aSignallingCall(test.api);
    const { channel_name } = await scene.record();
    const renewed = (await scene.act(scene.caller, 'token')).body.data;
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
