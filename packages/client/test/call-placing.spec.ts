import { Callboard } from '../src/index.js';
import { CallTerminal, LocalMedia } from '../src/calls/index.js';
import { at, call, devices, FakeProvider, FakeService, FakeStream } from './support/fake-calls.js';
import { failure, success } from './support/scripted-fetch.js';

const PLACED = { call_id: 5, channel_name: 'call-5', app_id: 'webrtc', rtc_token: null, expire_at: null };
const outgoing = (more: Parameters<typeof call>[0] = {}) => call({ direction: 'outgoing', ...more });

describe('CallTerminal.place', () => {
  let service: FakeService;
  let terminal: CallTerminal;
  beforeEach(() => {
    Object.assign(globalThis, { MediaStream: FakeStream });
    service = new FakeService();
    service.answers['POST /api/calls'] = () => success({ ...PLACED, caller_uid: '1' });
    service.answers['GET /api/calls/5'] = () => success(outgoing());
  });
  afterEach(() => {
    terminal.close();
    Reflect.deleteProperty(globalThis, 'MediaStream');
  });

  function open(getUserMedia = devices()): void {
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: service.fetch,
      token: () => 'token',
    });
    terminal = new CallTerminal(client, {
      terminalId: 'desk',
      getUserMedia,
      providers: { agora: async () => new FakeProvider() },
    });
  }

  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => void (condition() && resolve());
      terminal.subscribe(check);
      check();
    });

  it('places no call and stops the devices when it is cancelled while the browser asks for permission', async () => {
    const permission = Promise.withResolvers<MediaStream>();
    open(() => permission.promise);
    const cancelling = new AbortController();
    const placing = terminal.place(2, 'video', undefined, cancelling.signal);
    cancelling.abort(new Error('Cancelled'));
    const stream = await devices()({ audio: true, video: true });
    permission.resolve(stream);
    await expect(placing).rejects.toThrow('Cancelled');
    expect(service.asked).not.toContain('POST /api/calls');
    expect(stream.getTracks().map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
  });

  it('cancels the call when its state cannot be fetched', async () => {
    service.answers['GET /api/calls/5'] = () => failure(500, '服务器内部错误');
    open();
    await expect(terminal.place(2)).rejects.toMatchObject({ code: 500 });
    expect(service.asked.filter((name) => name.startsWith('POST'))).toEqual([
      'POST /api/calls',
      'POST /api/calls/5/cancel',
    ]);
  });

  it('opens the same devices after a reload while the call rings', async () => {
    const stored = new Map<string, string>();
    const sessionStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    Object.assign(globalThis, { sessionStorage });
    try {
      open();
      const preview = await LocalMedia.open('audio', devices());
      preview.mute(true);
      await terminal.place(2, 'video', preview);
      terminal.close();
      service.answers['GET /api/calls/active'] = () => success(outgoing(), { 'X-Event-Cursor': '1' });
      open();
      await until(() => terminal.getSession() !== null);
      service.tell({
        type: 'call.accepted',
        call: outgoing({ status: 'accepted', version: 2, accepted_at: at(0) }),
      });
      await until(() => (terminal.getSession()?.localStream ?? null) !== null);
      const resumed = terminal.getSession();
      expect([resumed?.isMuted, resumed?.hasCamera]).toEqual([true, false]);
    } finally {
      Reflect.deleteProperty(globalThis, 'sessionStorage');
    }
  });
});
