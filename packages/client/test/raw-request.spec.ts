import { sendByXhr } from '../src/http/raw-request.js';
import { CallboardError } from '../src/index.js';

beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['performance'] });
});
afterEach(() => jest.useRealTimers());

/** The parts of XMLHttpRequest that the client uses. The test ends the request. */
class FakeXhr extends EventTarget {
  static last: FakeXhr;
  readonly upload = new EventTarget();
  readonly sent: unknown[] = [];
  status = 0;
  responseText = '';

  constructor() {
    super();
    FakeXhr.last = this;
  }

  open(method: string, url: string): void {
    this.sent.push(method, url);
  }

  setRequestHeader(name: string, value: string): void {
    this.sent.push(`${name}: ${value}`);
  }

  send(body: unknown): void {
    this.sent.push(body);
  }

  getAllResponseHeaders = (): string => 'upload-offset: 5\r\nx-request-id: r\r\n';

  abort(): void {
    this.end('abort');
  }

  progress(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }));
  }

  end(event: 'load' | 'error' | 'abort'): void {
    this.dispatchEvent(new Event(event));
    this.dispatchEvent(new Event('loadend'));
  }
}

describe('A request by XMLHttpRequest', () => {
  beforeEach(() => Object.assign(globalThis, { XMLHttpRequest: FakeXhr }));
  afterEach(() => Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));

  const progress: number[] = [];
  const start = (signal?: AbortSignal): ReturnType<typeof sendByXhr> =>
    sendByXhr({
      method: 'PATCH',
      url: '/there',
      headers: { A: 'b' },
      signal,
      onProgress: (sent) => progress.push(sent),
    });

  it('reports the sent bytes and returns status, headers and text', async () => {
    const response = start();
    FakeXhr.last.progress(3);
    Object.assign(FakeXhr.last, { status: 204, responseText: 'text' }).end('load');
    const { status, headers, text } = await response;
    expect([status, headers.get('Upload-Offset'), text]).toEqual([204, '5', 'text']);
    expect(FakeXhr.last.sent).toEqual(['PATCH', '/there', 'A: b', undefined]);
    expect(progress).toEqual([3]);
  });

  it('fails with network, with timeout after 60 s of silence, or with the reason of its signal', async () => {
    const broken = start();
    FakeXhr.last.end('error');
    await expect(broken).rejects.toMatchObject({ code: 'network' });

    const silent = start();
    await jest.advanceTimersByTimeAsync(50_000);
    FakeXhr.last.progress(1);
    await jest.advanceTimersByTimeAsync(50_000);
    FakeXhr.last.progress(2);
    await Promise.all([
      expect(silent).rejects.toBeInstanceOf(CallboardError),
      jest.advanceTimersByTimeAsync(60_000),
    ]);

    const stop = new AbortController();
    const aborted = start(stop.signal);
    stop.abort(new Error('Enough'));
    await expect(aborted).rejects.toThrow('Enough');
  });
});
