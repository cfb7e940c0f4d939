import { Callboard, CallboardError, type CallResponse } from '../src/index.js';
import { CallTerminal, type CallSession, type MediaContext, type MediaProvider } from '../src/calls/index.js';
import { failure, success } from './support/scripted-fetch.js';

const encoder = new TextEncoder();

/** A MediaStream as far as a call without a browser needs one. */
class FakeStream {
  constructor(private tracks: MediaStreamTrack[] = []) {}
  getTracks = (): MediaStreamTrack[] => this.tracks;
  getAudioTracks = (): MediaStreamTrack[] => this.tracks.filter(({ kind }) => kind === 'audio');
  getVideoTracks = (): MediaStreamTrack[] => this.tracks.filter(({ kind }) => kind === 'video');
  addTrack = (track: MediaStreamTrack): unknown => this.tracks.push(track);
  removeTrack = (track: MediaStreamTrack): unknown =>
    (this.tracks = this.tracks.filter((one) => one !== track));
}
const trackOf = (kind: string): MediaStreamTrack => {
  const track = { kind, enabled: true, readyState: 'live', stop: () => (track.readyState = 'ended') };
  return track as unknown as MediaStreamTrack;
};
/** Asks for these devices; a camera that is missing is so by this name of browsers. */
const devices =
  (missing?: string) =>
  async ({ audio, video }: MediaStreamConstraints): Promise<MediaStream> => {
    if (video && missing) throw Object.assign(new Error('No camera'), { name: missing });
    return new FakeStream([
      ...(audio ? [trackOf('audio')] : []),
      ...(video ? [trackOf('video')] : []),
    ]) as never;
  };

/** By the service's clock; the machine's is an hour ahead. */
const NOW = Date.parse('2026-01-31T08:00:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const call = (more: Partial<CallResponse> = {}): CallResponse => ({
  call_id: 5,
  direction: 'incoming',
  media_type: 'video',
  status: 'ringing',
  end_reason: null,
  ended_by: null,
  version: 1,
  caller: { id: 2, name: 'Alice', avatar: null },
  callee: { id: 7, name: 'Amy', avatar: null },
  channel_name: 'call-5',
  created_at: at(0),
  ring_expires_at: at(60),
  accepted_at: null,
  started_at: null,
  ended_at: null,
  duration: 0,
  missed: false,
  server_time: at(0),
  caller_uid: '1',
  callee_uid: '2',
  ...more,
});

const ticket = { call_id: 5, channel_name: 'call-5', app_id: 'a'.repeat(32), rtc_token: 'token', version: 2 };

/** The service of one call, as far as a terminal asks it. */
class FakeService {
  readonly asked: string[] = [];
  readonly answers: Record<string, () => Response> = {
    'GET /api/calls/active': () => success(null, { 'X-Event-Cursor': '1' }),
    'GET /api/calls/5': () =>
      success(call({ version: 3, status: 'ended', ended_at: at(9), end_reason: 'no_answer' })),
    'POST /api/calls/5/accept': () =>
      success({ ...ticket, callee_uid: '2', expire_at: at(3600), status: 'accepted' }),
    'POST /api/calls/5/token': () =>
      success({ ...ticket, uid: '2', rtc_token: 'renewed', expire_at: at(7200) }),
  };
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly fetch: typeof fetch = async (input, { method = 'GET', signal } = {}) => {
    const name = `${method} ${new URL(input as string).pathname}`;
    if (name === 'GET /api/events') {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#stream = controller;
          signal?.addEventListener('abort', () => controller.error(new Error('Given up')));
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    }
    this.asked.push(name);
    return (this.answers[name] ?? (() => success({ call_id: 5 })))();
  };

  tell(event: object): void {
    this.#stream?.enqueue(
      encoder.encode(`id: 9\ndata: ${JSON.stringify({ created_at: at(0), ...event })}\n\n`),
    );
  }
}

/** A provider of which the test is the network. */
class FakeProvider implements MediaProvider {
  readonly needsReports = true;
  context: MediaContext | undefined;
  readonly acts: unknown[] = [];

  readonly connect = async (context: MediaContext) => {
    this.context = context;
    const act =
      (name: string) =>
      async (...args: unknown[]): Promise<void> => {
        this.acts.push([name, ...args]);
      };
    return { send: act('send'), renewed: act('renewed'), close: () => void this.acts.push(['close']) };
  };
}

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
  } = {}): Promise<CallSession> {
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: service.fetch,
      token: () => 'token',
    });
    terminal = new CallTerminal(client, {
      terminalId: 'desk',
      getUserMedia: devices(missing),
      providers: providers ? { agora: async () => provider } : {},
    });
    await pass(10);
    service.tell({ type: 'call.ringing', call: call() });
    await pass(10);
    const session = terminal.getSession();
    if (session === null) throw new Error('It does not ring');
    return session;
  }

  it('rings, is answered, and lasts as long as the service’s clock says', async () => {
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

  it('reports every 20 s, and renews its ticket a minute before the end', async () => {
    const session = await ring();
    const ongoing = call({ status: 'ongoing', version: 4, accepted_at: at(0) });
    // The stream falls silent, and is opened again.
    service.answers['GET /api/calls/active'] = () => success(ongoing, { 'X-Event-Cursor': '9' });
    await session.accept();
    provider.context?.onState('connected');
    await pass(61_000);
    expect(service.asked.filter((name) => name.endsWith('media-state'))).toHaveLength(4);
    await pass(3_469_000);
    expect(provider.acts).toEqual([]);
    await pass(20_000);
    expect(provider.acts).toEqual([['renewed', expect.objectContaining({ token: 'renewed' })]]);
    await session.hangUp();
  });

  it('is answered once, however often one clicks', async () => {
    const session = await ring();
    await Promise.all([session.accept(), session.accept()]);
    expect(service.asked.filter((name) => name.endsWith('accept'))).toHaveLength(1);
  });

  it.each([
    [41_006, 'answered_elsewhere'],
    [41_007, 'no_answer'],
  ])('that cannot be answered any more (%i) is over: %s', async (code, reason) => {
    service.answers['POST /api/calls/5/accept'] = () => failure(code, '', { status: 409 });
    const session = await ring();
    expect(await codeOf(session.accept())).toBe(code);
    expect([session.state, session.endReason, session.localStream]).toEqual(['ended', reason, null]);
  });

  it('goes on ringing when camera and microphone are refused', async () => {
    const session = await ring({ missing: 'NotAllowedError' });
    expect(await codeOf(session.accept())).toBe('media_refused');
    expect(session.state).toBe('ringing');
    expect(service.asked).not.toContain('POST /api/calls/5/accept');
  });

  it.each(['NotFoundError', 'NotReadableError'])(
    'goes without pictures when the camera is away: %s',
    async (name) => {
      const session = await ring({ missing: name });
      await session.accept();
      expect([session.state, session.hasCamera]).toEqual(['connecting', false]);
      expect(await codeOf(session.camera(true))).toBe(
        name === 'NotFoundError' ? 'media_missing' : 'media_busy',
      );
    },
  );

  it('is hung up when its media are lost', async () => {
    const session = await ring();
    await session.accept();
    provider.context?.onState('lost');
    await pass(10);
    expect([session.endReason, session.error?.code]).toEqual(['connection_lost', 'media_failed']);
    expect(service.asked).toContain('POST /api/calls/5/hangup');
  });

  it('hangs up nothing that was refused', async () => {
    service.answers['GET /api/calls/5'] = () => success(call({ status: 'ongoing', version: 3 }));
    const session = await ring();
    await session.accept();
    service.asked.length = 0;
    provider.context?.onState('refused');
    await pass(10);
    expect([session.state, session.endReason]).toEqual(['ended', 'answered_elsewhere']);
    expect(service.asked).toEqual(['GET /api/calls/5']);
  });

  it('says which provider is missing', async () => {
    const session = await ring({ providers: false });
    await session.accept();
    expect([session.state, session.error?.code, session.error?.message]).toEqual([
      'ended',
      'media_failed',
      'The provider agora is not among `providers`',
    ]);
  });

  it('that was over while nobody listened ends when the stream is back', async () => {
    const session = await ring();
    service.answers['GET /api/calls/active'] = () => success(null, { 'X-Event-Cursor': '20' });
    await pass(95_000);
    expect([session.state, session.endReason]).toEqual(['ended', 'no_answer']);
  });
});
