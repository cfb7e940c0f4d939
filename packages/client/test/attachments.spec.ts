import { Callboard, CallboardError, type CallboardOptions, type UploadStore } from '../src/index.js';
import { failure, ScriptedFetch, success } from './support/scripted-fetch.js';
import { TusService } from './support/tus-service.js';

const MIB = 1024 * 1024;
const CONTENT = Uint8Array.from({ length: 9 * MIB }, (_, index) => index % 251);
const film = (): File => new File([CONTENT], '电影.mp4', { type: 'video/mp4', lastModified: 7 });

/** Creates a client of user 7 over a network. */
function clientOf(network: { fetch: typeof fetch }, options: CallboardOptions = {}): Callboard {
  const client = new Callboard({
    baseUrl: 'http://service.test',
    fetch: network.fetch,
    token: () => 'token',
    ...options,
  });
  jest.spyOn(client, 'userId').mockResolvedValue(7);
  return client;
}

const formOf = (network: ScriptedFetch): FormData => {
  const [request] = network.requests;
  if (!(request?.body instanceof FormData)) throw new Error('No form was sent');
  return request.body;
};

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

/** Awaits a promise while the fake clock advances, so that waits between attempts take no time. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  promise.then(end, end);
  while (!state.isOver) await jest.advanceTimersByTimeAsync(1_000);
  return promise;
}

describe('An upload of at most 8 MiB', () => {
  it('is one form with type, duration and file, and reports its progress', async () => {
    const network = new ScriptedFetch(() => success({ id: 3, type: 'audio' }));
    const progress: unknown[] = [];
    const voice = new File(['voice'], 'note.ogg', { type: 'audio/ogg' });
    const { attachments } = clientOf(network);
    expect(
      await attachments.upload(voice, { duration: 4, onProgress: (...sent) => progress.push(sent) }),
    ).toEqual({ id: 3, type: 'audio' });
    expect(network.names).toEqual(['POST /api/attachments']);
    expect(network.headers('Authorization')).toEqual(['Bearer token']);
    const fields = [...formOf(network).entries()];
    expect(fields.slice(0, 2)).toEqual([
      ['type', 'audio'],
      ['duration', '4'],
    ]);
    const [name, file] = fields[2] as [string, File];
    expect([name, file.name, await file.text()]).toEqual(['file', 'note.ogg', 'voice']);
    expect(progress).toEqual([
      [0, 5],
      [5, 5],
    ]);
  });

  it.each([
    ['image/png', 'image'],
    ['image/heic', 'image'],
    ['image/svg+xml', 'file'],
    ['video/webm', 'video'],
    ['audio/mpeg', 'audio'],
    ['application/pdf', 'file'],
    ['', 'file'],
  ])('of media type "%s" has the type %s unless another is given', async (mediaType, expected) => {
    const network = new ScriptedFetch(() => success({ id: 1 }));
    const { attachments } = clientOf(network);
    const file = new Blob(['x'], { type: mediaType });
    await attachments.upload(file);
    await attachments.upload(file, { type: 'file', name: 'a.bin' });
    const forms = network.requests.map(({ body }) => body as FormData);
    expect(forms.map((form) => form.get('type'))).toEqual([expected, 'file']);
    expect(forms.map((form) => (form.get('file') as File).name)).toEqual(['file', 'a.bin']);
  });

  it('reads a stream completely', async () => {
    const network = new ScriptedFetch(() => success({ id: 1 }));
    const { stream, size } = { stream: new Blob(['streamed']).stream(), size: 8 };
    await clientOf(network).attachments.upload({ stream, size }, { name: 'log.txt' });
    const file = formOf(network).get('file') as File;
    expect([file.name, await file.text()]).toEqual(['log.txt', 'streamed']);
  });

  it('is sent again after a failure of the network and while the service is overloaded', async () => {
    const network = new ScriptedFetch(
      'no connection',
      () => failure(503, '服务暂不可用'),
      () => success({ id: 3 }),
    );
    expect(await soon(clientOf(network).attachments.upload(new Blob(['x'])))).toEqual({ id: 3 });
    expect(network.requests).toHaveLength(3);
  });

  it('fails without a repetition when the service rejects the file', async () => {
    const network = new ScriptedFetch(() => failure(422, 'file 取值无效'));
    const failed = clientOf(network).attachments.upload(new Blob(['x']));
    await expect(failed).rejects.toMatchObject({ code: 422, key: 'INVALID', field: 'file' });
    expect(network.requests).toHaveLength(1);
  });

  it.each([401, 200])('replaces a rejected token once (HTTP status %i)', async (status) => {
    const network = new ScriptedFetch(
      () => failure(401, '未授权', { status }),
      () => success({ id: 3 }),
    );
    const client = clientOf(network, { token: (refused) => (refused === undefined ? 'old' : 'new') });
    await client.attachments.upload(new Blob(['x']));
    expect(network.requests).toHaveLength(2);
  });

  it('fails with the reason of its signal', async () => {
    const stop = new AbortController();
    const network = new ScriptedFetch((_, signal) => {
      stop.abort(new Error('Enough'));
      signal?.throwIfAborted();
      return success({ id: 1 });
    });
    await expect(
      clientOf(network).attachments.upload(new Blob(['x']), { signal: stop.signal }),
    ).rejects.toThrow('Enough');
    expect(network.requests).toHaveLength(1);
  });
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

  it('fails when a stream ends before its size', async () => {
    const stream = new Blob(['short']).stream();
    const upload = clientOf(new TusService()).attachments.upload({ stream, size: 9 * MIB });
    await expect(upload).rejects.toThrow(RangeError);
  });
});

describe('An avatar', () => {
  it('is uploaded and set for the user or for a group', async () => {
    const network = new ScriptedFetch(() => success({ id: 12 }));
    const { attachments } = clientOf(network);
    await attachments.uploadAvatar(new Blob(['x'], { type: 'image/png' }));
    await attachments.uploadAvatar(new Blob(['x'], { type: 'image/png' }), { conversationId: 4 });
    expect(network.names).toEqual([
      'POST /api/attachments',
      'PUT /api/auth/me',
      'POST /api/attachments',
      'PUT /api/messages/conversations/4',
    ]);
    expect([network.requests[1]?.body, network.requests[3]?.body]).toEqual([
      { avatar_attachment_id: 12 },
      { avatar_attachment_id: 12 },
    ]);
  });
});

describe('attachments.ofMessage', () => {
  it('returns the attachments of the message as they are now', async () => {
    const network = new ScriptedFetch(() => success({ id: 5, attachments: [{ id: 12, url: 'fresh' }] }));
    expect(await clientOf(network).attachments.ofMessage(5)).toEqual([{ id: 12, url: 'fresh' }]);
    expect(network.names).toEqual(['GET /api/messages/5']);
  });
});
