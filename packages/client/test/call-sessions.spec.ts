import { Callboard, CallboardError } from '../src/index.js';
import { type CallSession, CallTerminal, LocalMedia } from '../src/calls/index.js';
import { at, call, devices, FakeProvider, FakeService, FakeStream, NOW } from './support/fake-calls.js';
import { failure, success } from './support/scripted-fetch.js';

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof CallboardError ? error.code : error),
  );

describe('A call at a terminal', () => {
  let service: FakeService;
  let provider: FakeProvider;
  let terminal: CallTerminal;
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW + 3_600_000 });
    Object.assign(globalThis, { MediaStream: FakeStream });
    service = new FakeService();
    provider = new FakeProvider();
  });
  afterEach(() => {
    terminal.close();
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'MediaStream');
  });

  async function ring({
    missing = undefined as string | undefined,
    providers = true,
    getUserMedia = devices(missing),
  } = {}): Promise<CallSession> {
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: service.fetch,
      token: () => 'token',
    });
    terminal = new CallTerminal(client, {
      terminalId: 'desk',
      getUserMedia,
      providers: providers ? { agora: async () => provider } : {},
    });
    await pass(10);
    service.tell({ type: 'call.ringing', call: call() });
    await pass(10);
    const session = terminal.getSession();
    if (session === null) throw new Error('The call does not ring');
    return session;
  }

  it('rings, is accepted, and measures its duration on the service’s clock', async () => {
    const session = await ring();
    expect([session.state, session.peer.name, session.ringsFor]).toEqual(['ringing', 'Alice', 60]);
    await session.accept();
    expect(session.state).toBe('connecting');
    service.tell({
      type: 'call.accepted',
      call: call({ status: 'accepted', version: 2, accepted_at: at(0) }),
      terminal_id: 'desk',
    });
    await pass(10);
    provider.context?.onState('connected');
    await pass(12_000);
    expect([session.state, session.seconds]).toEqual(['in call', 12]);
    expect(provider.context?.ticket).toEqual({
      appId: 'a'.repeat(32),
      channelName: 'call-5',
      token: 'token',
      uid: '2',
    });
  });

  it('reports every 20 s, and renews its ticket 60 s before it expires', async () => {
    const session = await ring();
    const ongoing = call({ status: 'ongoing', version: 4, accepted_at: at(0) });
    // The stream is silent for 40 s and is opened again, so the terminal fetches the active call.
    service.answers['GET /api/calls/active'] = () => success(ongoing, { 'X-Event-Cursor': '9' });
    await session.accept();
    provider.context?.onState('connected');
    await pass(61_000);
    expect(service.asked.filter((name) => name.endsWith('media-state'))).toHaveLength(4);
    await pass(3_469_000);
    expect(provider.calls).toEqual([]);
    await pass(20_000);
    expect(provider.calls).toEqual([['renewed', expect.objectContaining({ token: 'renewed' })]]);
    await session.hangUp();
  });

  it('repeats a report soon while the service is down', async () => {
    const session = await ring();
    const ongoing = call({ status: 'ongoing', version: 4, accepted_at: at(0) });
    service.answers['GET /api/calls/active'] = () => success(ongoing, { 'X-Event-Cursor': '9' });
    await session.accept();
    provider.context?.onState('connected');
    const reports = (): number => service.asked.filter((name) => name.endsWith('media-state')).length;
    await pass(10);
    expect(reports()).toBe(1);
    service.answers['POST /api/calls/5/media-state'] = () => failure(503, '', { status: 503 });
    await pass(35_000);
    // The transport makes four attempts for each report.
    expect(reports()).toBeGreaterThan(1 + 4);
    service.answers['POST /api/calls/5/media-state'] = () => success({ call_id: 5 });
    await pass(5_000);
    const afterOutage = reports();
    await pass(12_000);
    expect(reports()).toBe(afterOutage);
    await session.hangUp();
  });

  it('is accepted once when accept is called twice', async () => {
    const session = await ring();
    await Promise.all([session.accept(), session.accept()]);
    expect(service.asked.filter((name) => name.endsWith('accept'))).toHaveLength(1);
  });

  it('stops the media of a preview when it was accepted with others already', async () => {
    const session = await ring();
    const used = await LocalMedia.open('audio', devices());
    const unused = await LocalMedia.open('audio', devices());
    await Promise.all([session.accept('audio', used), session.accept('audio', used)]);
    await session.accept('audio', unused);
    expect([used, unused].map(({ stream }) => stream.getTracks()[0]?.readyState)).toEqual(['live', 'ended']);
  });

  it('exposes the status of the service', async () => {
    const session = await ring();
    expect(session.status).toBe('ringing');
    const ended = { status: 'ended', end_reason: 'maintenance', version: 2, ended_at: at(1) } as const;
    service.tell({ type: 'call.ended', call: call(ended) });
    await pass(10);
    expect([session.state, session.status, session.endReason]).toEqual(['ended', 'ended', 'maintenance']);
  });

  it.each([
    [41_006, 'answered_elsewhere'],
    [41_007, 'no_answer'],
  ])('ends when accepting it fails with %i: %s', async (code, reason) => {
    service.answers['POST /api/calls/5/accept'] = () => failure(code, '', { status: 409 });
    const session = await ring();
    expect(await codeOf(session.accept())).toBe(code);
    expect([session.state, session.endReason, session.localStream]).toEqual(['ended', reason, null]);
  });

  it('is hung up when it is declined while the request that accepts it is in flight', async () => {
    const accepted = Promise.withResolvers<Response>();
    const answer = service.answers['POST /api/calls/5/accept'];
    service.answers['POST /api/calls/5/accept'] = () => accepted.promise;
    service.answers['POST /api/calls/5/reject'] = () => failure(41_008, '', { status: 409 });
    const session = await ring();
    const accepting = session.accept();
    await pass(10);
    await session.hangUp();
    expect(service.asked.slice(-2)).toEqual(['POST /api/calls/5/accept', 'POST /api/calls/5/reject']);
    accepted.resolve((await answer?.()) ?? failure(500, ''));
    await accepting;
    expect(service.asked.at(-1)).toBe('POST /api/calls/5/hangup');
    expect([session.state, session.endReason]).toEqual(['ended', 'user_reject']);
    expect(provider.context).toBeUndefined();
  });

  it('is accepted without a camera when accepted as audio', async () => {
    const session = await ring();
    await session.accept('audio');
    expect([session.state, session.hasCamera, session.localStream?.getTracks().length]).toEqual([
      'connecting',
      false,
      1,
    ]);
  });

  it('is resumed after a reload with the same devices: muted, and without a camera', async () => {
    const stored = new Map<string, string>();
    const sessionStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    Object.assign(globalThis, { sessionStorage });
    try {
      const session = await ring();
      await session.accept();
      session.mute();
      await session.camera(false);
      terminal.close();
      const ongoing = call({ status: 'ongoing', version: 4, accepted_at: at(0) });
      service.answers['GET /api/calls/active'] = () => success(ongoing, { 'X-Event-Cursor': '9' });
      const resumed = await ring();
      expect([resumed.state, resumed.isMuted, resumed.hasCamera]).toEqual(['connecting', true, false]);
      await resumed.hangUp();
      expect([...stored.keys()]).toEqual([]);
    } finally {
      Reflect.deleteProperty(globalThis, 'sessionStorage');
    }
  });

  it('exposes its quality and that of the peer while it is connected', async () => {
    const session = await ring();
    await session.accept();
    provider.context?.onState('connected');
    expect(session.quality).toBeNull();
    provider.context?.onQuality('poor');
    provider.context?.onPeerQuality('fair');
    expect([session.quality, session.peerQuality]).toEqual(['poor', 'fair']);
    provider.context?.onState('reconnecting');
    expect([session.quality, session.peerQuality]).toEqual([null, null]);
  });

  it('sends the mute state to the peer, also for the next microphone, and exposes the mute state of the peer', async () => {
    const session = await ring();
    await session.accept();
    session.mute();
    await session.use('audio');
    session.mute(false);
    await session.use('audio');
    expect(provider.calls.filter(([name]) => name === 'mute')).toEqual([
      ['mute', true],
      ['mute', true],
      ['mute', false],
    ]);
    expect(session.isPeerMuted).toBe(false);
    provider.context?.onPeerMuted(true);
    expect(session.isPeerMuted).toBe(true);
  });

  it('keeps ringing when camera and microphone are denied', async () => {
    const session = await ring({ missing: 'NotAllowedError' });
    expect(await codeOf(session.accept())).toBe('media_refused');
    expect(session.state).toBe('ringing');
    expect(service.asked).not.toContain('POST /api/calls/5/accept');
  });

  it.each(['NotFoundError', 'NotReadableError'])(
    'continues without video when the camera fails: %s',
    async (name) => {
      const session = await ring({ missing: name });
      await session.accept();
      expect([session.state, session.hasCamera]).toEqual(['connecting', false]);
      expect(session.error?.code).toBe(name === 'NotFoundError' ? 'media_missing' : 'media_busy');
      expect(await codeOf(session.camera(true))).toBe(
        name === 'NotFoundError' ? 'media_missing' : 'media_busy',
      );
    },
  );

  it('hangs up when its media are lost', async () => {
    const session = await ring();
    await session.accept();
    provider.context?.onState('lost');
    await pass(10);
    expect([session.endReason, session.error?.code]).toEqual(['connection_lost', 'media_failed']);
    expect(service.asked).toContain('POST /api/calls/5/hangup');
  });

  it('ends without hanging up when its media are refused', async () => {
    service.answers['GET /api/calls/5'] = () => success(call({ status: 'ongoing', version: 3 }));
    const session = await ring();
    await session.accept();
    service.asked.length = 0;
    provider.context?.onState('refused');
    await pass(10);
    expect([session.state, session.endReason]).toEqual(['ended', 'answered_elsewhere']);
    expect(service.asked).toEqual(['GET /api/calls/5']);
  });

  it('names the missing provider in its error', async () => {
    const session = await ring({ providers: false });
    await session.accept();
    expect([session.state, session.error?.code, session.error?.message]).toEqual([
      'ended',
      'media_failed',
      'The provider agora is not among `providers`',
    ]);
  });

  it('stops media that the browser opens after a resumed call has ended', async () => {
    const permission = Promise.withResolvers<MediaStream>();
    const session = await ring({ getUserMedia: () => permission.promise });
    const joining = session.join({ isResumed: true });
    await pass(10);
    service.tell({
      type: 'call.ended',
      call: call({ status: 'ended', version: 5, ended_at: at(9), end_reason: 'hangup' }),
    });
    await pass(10);
    expect(session.state).toBe('ended');
    const stream = await devices()({ audio: true, video: true });
    permission.resolve(stream);
    await joining;
    expect(stream.getTracks().map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
    expect(provider.context).toBeUndefined();
  });

  it('ends when the stream is back after the call has ended meanwhile', async () => {
    const session = await ring();
    service.answers['GET /api/calls/active'] = () => success(null, { 'X-Event-Cursor': '20' });
    await pass(95_000);
    expect([session.state, session.endReason]).toEqual(['ended', 'no_answer']);
  });
});
