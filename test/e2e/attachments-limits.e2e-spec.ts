import { once } from 'node:events';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { FileStorage } from '../../src/attachments/storage/file-storage';
import { TIMINGS } from '../../src/common/timings';
import type { ApiClient } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, upload } from '../support/attachments';
import { connectRaw, type RawSocket } from '../support/raw-sockets';
import { eventually } from '../support/service-process';
import { answerOf, TusClient, type UploadAnswer } from '../support/streamed-uploads';
import { NEVER_MS } from '../support/timings';
import { signToken } from '../support/tokens';

/** Downloads of one address, while others have none. */
const MAX_DOWNLOADS = 100;
/** Passes while the service waits for bytes that do not arrive. */
const SOON_MS = 100;
const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

describe('Limits of uploads and downloads', () => {
  const timings = { ...TIMINGS };
  let test: AttachmentsApp;
  let api: ApiClient;
  let url: string;
  let token: string;
  beforeAll(async () => {
    test = await createAttachmentsApp();
    api = await test.api.as({ id: 1 });
    await test.app.listen(0, '127.0.0.1');
    url = await test.app.getUrl();
    token = await signToken({ sub: '1', role: 'user' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Object.assign(TIMINGS, timings);
  });
  afterAll(() => test.close());

  /** Sends a form without an end, in further chunks until the service responds. */
  const sendEndlessly = async (bytes: string): Promise<UploadAnswer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' };
    const sent = request(`${url}/api/attachments`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    const answer = answerOf(sent);
    sent.write(FORM_START);
    const steadily = setInterval(() => bytes !== '' && sent.write(bytes), SOON_MS / 10);
    return answer.finally(() => {
      clearInterval(steadily);
      sent.destroy();
    });
  };

  it.each([
    ['no byte arrives for `uploadSilenceMs`', { uploadSilenceMs: SOON_MS, uploadWithinMs: NEVER_MS }, ''],
    ['it takes longer than `uploadWithinMs`', { uploadSilenceMs: NEVER_MS, uploadWithinMs: SOON_MS }, 'byte'],
  ])('cut off a form if %s, and leave nothing of it', async (_, limits, bytes) => {
    Object.assign(TIMINGS, limits);
    expect(await sendEndlessly(bytes)).toMatchObject({
      status: 400,
      headers: { connection: 'close' },
      body: { code: 400, message: '请求无效', data: null },
    });
    expect(test.storedFiles()).toEqual([]);
  });

  it('cut off a part of a resumable upload in which no byte arrives, and keep its bytes', async () => {
    const client = new TusClient(url, token);
    const path = await client.create(10);
    Object.assign(TIMINGS, { uploadSilenceMs: NEVER_MS });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const part = client.patch(path, 0, 10);
    part.on('error', () => undefined);
    const cut = answerOf(part);
    part.write('12345');
    const draft = join(test.folder, 'drafts', 'resumable', path.split('/').at(-1) ?? '');
    await eventually(
      async () => statSync(draft).size,
      (size) => size === 5,
    );
    const [onSilence] = timers.mock.calls.find(([, ms]) => ms === NEVER_MS) ?? [];
    timers.mockRestore();
    onSilence?.();
    expect((await cut).status).toBe(400);
    Object.assign(TIMINGS, timings);
    expect(await client.state(path)).toEqual({ status: 200, offset: 5 });
  });

  it('send 100 files to an address at the same time, and then respond with 503 until one has ended', async () => {
    const uploaded = await upload(api, 'file', 'hello');
    const { pathname, search } = new URL(uploaded.body.data.url as string);
    // Files whose second half never arrives.
    jest.spyOn(test.app.get(FileStorage), 'open').mockImplementation(async () => {
      const half = new PassThrough();
      half.write('he');
      return half;
    });
    const downloads: RawSocket[] = [];
    const begin = async (): Promise<string> => {
      const download = await connectRaw(url);
      downloads.push(download);
      download.socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(download.socket, 'data');
      return download.received();
    };
    const heads = await Promise.all(Array.from({ length: MAX_DOWNLOADS }, begin));
    expect(heads.filter((head) => head.startsWith('HTTP/1.1 200'))).toHaveLength(MAX_DOWNLOADS);
    const refused = await fetch(url + pathname + search);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toEqual({ code: 503, message: '服务暂不可用', data: null });

    downloads[0]?.socket.destroy();
    await eventually(begin, (head) => head.startsWith('HTTP/1.1 200'));
    for (const { socket } of downloads) socket.destroy();
  });
});
