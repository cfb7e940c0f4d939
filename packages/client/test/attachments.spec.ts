import { failure, ScriptedFetch, success } from './support/scripted-fetch.js';
import { clientOf, soon } from './support/upload-client.js';

const formOf = (network: ScriptedFetch): FormData => {
  const [request] = network.requests;
  if (!(request?.body instanceof FormData)) throw new Error('No form was sent');
  return request.body;
};

beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['performance'] });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

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

  it('is not sent when its signal aborts during the request for a token', async () => {
    const stop = new AbortController();
    const network = new ScriptedFetch(() => success({ id: 1 }));
    const token = Promise.withResolvers<string>();
    const { attachments } = clientOf(network, { token: () => token.promise });
    const upload = attachments.upload(new Blob(['x']), { signal: stop.signal });
    stop.abort(new Error('Enough'));
    token.resolve('token');
    await expect(upload).rejects.toThrow('Enough');
    expect(network.requests).toEqual([]);
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
