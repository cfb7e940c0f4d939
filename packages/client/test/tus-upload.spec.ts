import { CallboardError, type CallboardOptions, type UploadStore } from '../src/index.js';
import { TusService } from './support/tus-service.js';
import { clientOf, soon } from './support/upload-client.js';

const MIB = 1024 * 1024;
const CONTENT = Uint8Array.from({ length: 9 * MIB }, (_, index) => index % 251);
const film = (): File => new File([CONTENT], '电影.mp4', { type: 'video/mp4', lastModified: 7 });

/** A store like `localStorage`, which outlives the client. */
function pageStore(): UploadStore & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['performance'] });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('An upload of more than 8 MiB', () => {
  it('sends pieces of 4 MiB by tus and returns the attachment', async () => {
    const service = new TusService();
    const progress: number[] = [];
    const attachment = await clientOf(service).attachments.upload(film(), {
      duration: 60,
      onProgress: (sent) => progress.push(sent / MIB),
    });
    expect(attachment).toEqual({
      id: 9,
      filename: '电影.mp4',
      type: 'video',
      duration: '60',
      size: 9 * MIB,
    });
    expect(service.requests).toEqual([
      'POST /api/attachments/tus',
      'PATCH /api/attachments/tus/draft-1 at 0',
      'PATCH /api/attachments/tus/draft-1 at 4194304',
      'PATCH /api/attachments/tus/draft-1 at 8388608',
    ]);
    expect(progress).toEqual([0, 4, 8, 9]);
    expect(Buffer.from(service.drafts.get('draft-1')?.bytes ?? []).equals(Buffer.from(CONTENT))).toBe(true);
  });

  it.each(['lost before', 'lost after', 'locked', 'busy', 'half'] as const)(
    'goes on at the stored offset after a request that is %s',
    async (fault) => {
      const service = new TusService();
      const failed = new Set<string>();
      service.faultOf = (request) => {
        // Each request that writes fails once. A repeated creation has the same name.
        if (request.startsWith('HEAD') || failed.has(request) || failed.size === 20) return undefined;
        failed.add(request);
        return fault === 'half' && request.startsWith('POST') ? undefined : fault;
      };
      await soon(clientOf(service).attachments.upload(film()));
      const bytes = [...service.drafts.values()].at(-1)?.bytes ?? [];
      expect(Buffer.from(bytes).equals(Buffer.from(CONTENT))).toBe(true);
      expect(failed.size).toBeGreaterThan(3);
    },
  );

  it('goes on with a draft of an earlier page, given the same store and file', async () => {
    const service = new TusService();
    const store = pageStore();
    service.faultOf = (request) => (request.includes(' at 4194304') ? 'lost before' : undefined);
    await expect(soon(clientOf(service).attachments.upload(film(), { store }))).rejects.toMatchObject({
      code: 'network',
    });
    expect([...store.entries.values()]).toEqual(['draft-1']);
    service.requests.length = 0;
    service.faultOf = () => undefined;
    await clientOf(service).attachments.upload(film(), { store });
    expect(service.requests).toEqual([
      'HEAD /api/attachments/tus/draft-1',
      'PATCH /api/attachments/tus/draft-1 at 4194304',
      'PATCH /api/attachments/tus/draft-1 at 8388608',
    ]);
    expect(store.entries.size).toBe(0);
  });

  it('starts a draft of its own for each Blob, which can have the size of another', async () => {
    const service = new TusService();
    const store = pageStore();
    const { attachments } = clientOf(service);
    service.faultOf = (request) => (request.includes(' at 4194304') ? 'lost before' : undefined);
    const first = attachments.upload(new Blob([new Uint8Array(9 * MIB)]), { store });
    await expect(soon(first)).rejects.toMatchObject({ code: 'network' });
    service.faultOf = () => undefined;
    await attachments.upload(new Blob([CONTENT]), { store });
    const bytes = service.drafts.get('draft-2')?.bytes ?? [];
    expect(Buffer.from(bytes).equals(Buffer.from(CONTENT))).toBe(true);
  });

  it('goes on with its draft after the session has ended and the user has signed in again', async () => {
    const service = new TusService();
    const store = pageStore();
    service.faultOf = () => 'signed out';
    service.drafts.set('draft-0', { size: CONTENT.length, metadata: {}, bytes: new Uint8Array() });
    store.entries.set('callboard-upload:7:电影.mp4:video:9437184:7', 'draft-0');
    const upload = (options?: CallboardOptions): Promise<unknown> =>
      clientOf(service, options).attachments.upload(film(), { store });
    await expect(upload()).rejects.toMatchObject({ code: 'signed_out' });
    service.faultOf = (request) => (request.endsWith(' at 4194304') ? 'signed out' : undefined);
    await expect(upload()).rejects.toMatchObject({ code: 401 });
    const token = (): never => {
      throw new CallboardError('signed_out');
    };
    await expect(upload({ token })).rejects.toMatchObject({ code: 'signed_out' });
    service.faultOf = () => undefined;
    service.requests.length = 0;
    await upload();
    expect(service.requests).toEqual([
      'HEAD /api/attachments/tus/draft-0',
      'PATCH /api/attachments/tus/draft-0 at 4194304',
      'PATCH /api/attachments/tus/draft-0 at 8388608',
    ]);
  });

  it('goes on with its draft after a rate limit, and waits for its Retry-After', async () => {
    const service = new TusService();
    const store = pageStore();
    service.drafts.set('draft-0', { size: CONTENT.length, metadata: {}, bytes: new Uint8Array() });
    store.entries.set('callboard-upload:7:电影.mp4:video:9437184:7', 'draft-0');
    const times: number[] = [];
    service.faultOf = () => (times.push(Date.now()) === 1 ? 'rate limited' : undefined);
    await soon(clientOf(service).attachments.upload(film(), { store }));
    expect(service.requests.slice(0, 3)).toEqual([
      'HEAD /api/attachments/tus/draft-0',
      'HEAD /api/attachments/tus/draft-0',
      'PATCH /api/attachments/tus/draft-0 at 0',
    ]);
    const [limited = 0, repeated = 0] = times;
    expect(repeated - limited).toBeGreaterThanOrEqual(20_000);
  });

  it.each([
    ['another user', {}, 8],
    ['another name', { name: 'other.mp4' }, 7],
  ])('starts a draft of its own for %s', async (_, options, userId) => {
    const service = new TusService();
    const store = pageStore();
    service.faultOf = (request) => (request.includes(' at 4194304') ? 'full' : undefined);
    store.entries.set('callboard-upload:7:电影.mp4:video:9437184:7', 'draft-of-7');
    const client = clientOf(service);
    jest.spyOn(client, 'userId').mockResolvedValue(userId);
    await client.attachments.upload(film(), { store, ...options }).catch(() => undefined);
    expect(service.requests[0]).toBe('POST /api/attachments/tus');
  });

  it('starts again when its draft has expired', async () => {
    const service = new TusService();
    service.faultOf = (request) => {
      if (request.endsWith('draft-1 at 4194304')) service.drafts.delete('draft-1');
      return undefined;
    };
    expect(await clientOf(service).attachments.upload(film())).toMatchObject({ id: 9 });
    expect(service.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  });

  it('fails without a repetition when the storage of the user is full', async () => {
    const service = new TusService();
    service.faultOf = (request) => (request.startsWith('PATCH') ? 'full' : undefined);
    await expect(clientOf(service).attachments.upload(film())).rejects.toMatchObject({
      key: 'STORAGE_FULL',
    });
    expect(service.requests).toHaveLength(2);
  });

  it('deletes its draft when it is aborted', async () => {
    const service = new TusService();
    const store = pageStore();
    const stop = new AbortController();
    const onProgress = (sent: number): void => {
      if (sent > 0) stop.abort(new Error('Enough'));
    };
    const upload = clientOf(service).attachments.upload(film(), { store, signal: stop.signal, onProgress });
    await expect(upload).rejects.toThrow('Enough');
    await soon(Promise.resolve());
    expect(service.requests.at(-1)).toBe('DELETE /api/attachments/tus/draft-1');
    expect(service.drafts.size).toBe(0);
    expect(store.entries.size).toBe(0);
  });

  it('sends a stream, whose last piece can be repeated', async () => {
    const service = new TusService();
    const faults = new Set(['PATCH /api/attachments/tus/draft-1 at 4194304']);
    service.faultOf = (request) => (faults.delete(request) ? 'half' : undefined);
    const stream = new Blob([CONTENT]).stream();
    await soon(clientOf(service).attachments.upload({ stream, size: CONTENT.length }, { name: 'all.bin' }));
    expect(Buffer.from(service.drafts.get('draft-1')?.bytes ?? []).equals(Buffer.from(CONTENT))).toBe(true);
  });

  it.each([1, 9])('cancels its stream of %i MiB after an error', async (size) => {
    const service = new TusService();
    service.faultOf = () => 'full';
    const cancel = jest.fn();
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
      controller.enqueue(new Uint8Array(MIB));
    const stream = new ReadableStream<Uint8Array>({ pull, cancel });
    const upload = clientOf(service).attachments.upload({ stream, size: size * MIB });
    await expect(upload).rejects.toMatchObject({ key: 'STORAGE_FULL' });
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('fails when a stream ends before its size', async () => {
    const stream = new Blob(['short']).stream();
    const upload = clientOf(new TusService()).attachments.upload({ stream, size: 9 * MIB });
    await expect(upload).rejects.toThrow(RangeError);
  });
});
