import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AttachmentSweep } from '../../src/attachments/services/attachment-sweep.job';
import type { ApiClient, ApiResponse } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, download, upload, WAV } from '../support/attachments';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The first box of an MP4 file, by which its type is recognised. */
const MP4 = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');

describe('Messages with attachments', () => {
  let test: AttachmentsApp;
  let ann: ApiClient;
  let ben: ApiClient;
  let chat: number;
  beforeAll(async () => {
    test = await createAttachmentsApp();
    ann = await test.api.as({ id: 1 });
    ben = await test.api.as({ id: 2 });
    await ben.get('/api/auth/me');
    const single = await ann.post('/api/messages/conversations', { type: 'single', peer_id: 2 });
    chat = single.body.data.id;
  });
  afterAll(() => test.close());

  const send = (api: ApiClient, body: object): Promise<ApiResponse> =>
    api.post(`/api/messages/conversations/${chat}/messages`, body);
  const uploaded = async (type: string, content: string | Buffer, api = ann): Promise<number> =>
    (await upload(api, type, content, { fileName: 'a.bin', duration: 7 })).body.data.id;
  const useCounts = async (...ids: number[]): Promise<unknown[]> => {
    const rows = await test.query(
      `SELECT use_count FROM attachments WHERE id IN (${ids.join()}) ORDER BY id`,
    );
    return rows.map((row) => (row as { use_count: number }).use_count);
  };
  const sweep = (): Promise<void> => test.app.get(AttachmentSweep).sweep();

  it('have the URL as content, and what is known of the file in extra', async () => {
    const id = await uploaded('audio', WAV);
    const sent = await send(ann, { type: 'audio', attachment_id: id, extra: { waveform: [0, 100] } });
    expect(sent.body.data).toMatchObject({
      type: 'audio',
      content: sent.body.data.attachments[0].url,
      display_content: '[语音] 7"',
      extra: { waveform: [0, 100], name: 'a.bin', size: 48, mime_type: 'audio/wav', duration: 7 },
      attachments: [{ id, type: 'audio', name: 'a.bin', duration: 7 }],
    });
    const [received] = (await ben.get(`/api/messages/conversations/${chat}/messages`)).body.data.items;
    expect(received).toMatchObject({ content: sent.body.data.content, attachments: [{ id }] });
    expect((await download(test, received.content)).bytes).toEqual(WAV);
    expect((await send(ann, { type: 'text', content: 'x' })).body.data.attachments).toEqual([]);
  });

  it('can be an album of pictures, whose first one is the content', async () => {
    const ids = [await uploaded('image', PNG), await uploaded('image', PNG)];
    const { data } = (await send(ann, { type: 'image', attachment_ids: ids })).body;
    expect(data.attachments.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(data.content).toBe(data.attachments[0].url);
    expect(data.extra).toMatchObject({ width: 1, height: 1 });
  });

  it('can have a poster, which is that of the first video', async () => {
    const ids = [await uploaded('video', MP4), await uploaded('video', MP4)];
    const poster = await uploaded('image', PNG);
    const body = { type: 'video', attachment_ids: ids, poster_attachment_id: poster, extra: { poster: 'x' } };
    const { data } = (await send(ann, body)).body;
    expect(data.extra).toMatchObject({
      poster: data.attachments[0].poster_url,
      poster_attachment_id: poster,
    });
    expect(data.attachments).toMatchObject([
      {
        id: ids[0],
        preview: expect.stringMatching(/^data:image\/webp/),
        thumbnail_url: expect.stringContaining(`/files/${poster}.png?variant=thumbnail`),
        poster_url: expect.stringContaining(`/files/${poster}.png?expires=`),
      },
      { id: ids[1], preview: null, thumbnail_url: null, poster_url: null },
    ]);
    expect((await download(test, data.extra.poster)).headers['content-type']).toBe('image/png');
    const [received] = (await ben.get(`/api/messages/conversations/${chat}/messages`)).body.data.items;
    expect(received).toMatchObject({ extra: data.extra, attachments: data.attachments });
  });

  it('keep a poster until the last of them is recalled', async () => {
    const [video, poster] = [await uploaded('video', MP4), await uploaded('image', PNG)];
    const body = { type: 'video', attachment_id: video, poster_attachment_id: poster };
    const original = (await send(ann, body)).body.data;
    const copy = (await send(ben, { forward_id: original.id })).body.data;
    expect(copy.extra.poster).toBe(original.extra.poster);
    expect(await useCounts(video, poster)).toEqual([2, 2]);
    await ann.post(`/api/messages/${original.id}/recall`);
    await sweep();
    expect((await download(test, copy.extra.poster)).status).toBe(200);
    await ben.post(`/api/messages/${copy.id}/recall`);
    await sweep();
    expect((await download(test, copy.extra.poster)).status).toBe(404);
  });

  it('are rejected with a poster that is not an own image, or that is not of a video', async () => {
    const [video, file] = [await uploaded('video', MP4), await uploaded('file', 'x')];
    const [poster, bens] = [await uploaded('image', PNG), await uploaded('image', PNG, ben)];
    const message = async (body: object): Promise<unknown> => (await send(ann, body)).body.message;
    const sent = { type: 'video', attachment_id: video };
    expect(await message({ ...sent, poster_attachment_id: 999_999 })).toBe('附件不存在');
    expect(await message({ ...sent, poster_attachment_id: bens })).toBe('附件不存在');
    expect(await message({ ...sent, poster_attachment_id: video })).toBe('poster_attachment_id 取值无效');
    expect(await message({ ...sent, poster_attachment_id: 'x' })).toBe('poster_attachment_id 必须是整数');
    const others = [
      { type: 'file', attachment_id: file },
      { type: 'image', attachment_id: poster },
      { type: 'video', content: 'https://a.example/x' },
      { forward_id: 1 },
    ];
    for (const other of others)
      expect(await message({ ...other, poster_attachment_id: poster })).toBe('poster_attachment_id 取值无效');
    expect(await useCounts(video, poster, bens)).toEqual([0, 0, 0]);
  });

  it('are rejected with a waveform that is not of at most 100 integers from 0 to 100', async () => {
    const id = await uploaded('audio', WAV);
    const status = async (waveform: unknown, type = 'audio', of = id): Promise<number> =>
      (await send(ann, { type, attachment_id: of, extra: { waveform } })).status;
    expect(await send(ann, { type: 'audio', attachment_id: id, extra: { waveform: [101] } })).toMatchObject({
      status: 422,
      body: { message: 'extra 取值无效' },
    });
    expect(await status(Array.from({ length: 101 }, () => 1))).toBe(422);
    expect(await status(Array.from({ length: 100 }, () => 100))).toBe(200);
    // Other types have no waveform, so it is data of the client.
    expect(await status('any', 'file', await uploaded('file', 'x'))).toBe(200);
  });

  it('are rejected with a source that does not exist, or that is not of the type', async () => {
    const file = await uploaded('file', 'x');
    const files = [file, await uploaded('file', 'y')];
    const bens = await uploaded('file', 'x', ben);
    const message = async (body: object): Promise<unknown> => (await send(ann, body)).body.message;
    expect(await message({ type: 'file', attachment_id: 999_999 })).toBe('附件不存在');
    expect(await message({ type: 'file', attachment_id: bens })).toBe('附件不存在');
    expect(await message({ type: 'image', attachment_id: file })).toBe('attachment_id 取值无效');
    expect(await message({ type: 'file', attachment_ids: files })).toBe('attachment_ids 取值无效');
    expect(await message({ type: 'file', attachment_ids: [] })).toBe('content 字段不能为空');
    expect(await message({ attachment_id: file })).toBe('type 字段不能为空');
    const url = 'https://a.example/x';
    expect(await message({ type: 'file', content: url, attachment_id: file })).toBe('attachment_id 取值无效');
    const both = { type: 'file', attachment_id: file, attachment_ids: [file] };
    expect(await message(both)).toBe('attachment_ids 取值无效');
    expect(await message({ attachment_id: file, forward_id: 1 })).toBe('forward_id 取值无效');
    expect(await useCounts(...files, bens)).toEqual([0, 0, 0]);
  });

  it('are sent once when they are sent again', async () => {
    const ids = [await uploaded('file', 'x'), await uploaded('file', 'y')];
    const body = { type: 'file', attachment_id: ids[0], client_msg_id: 'again' };
    const first = await send(ann, body);
    const second = await send(ann, { ...body, attachment_id: undefined, attachment_ids: [ids[0]] });
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(await send(ann, { ...body, attachment_id: ids[1] })).toMatchObject({
      status: 409,
      body: { message: '请求标识已被使用' },
    });
    expect(await useCounts(...ids)).toEqual([1, 0]);
  });

  it('are different messages with different posters', async () => {
    const [video, poster] = [await uploaded('video', MP4), await uploaded('image', PNG)];
    const body = { type: 'video', attachment_id: video, client_msg_id: 'poster' };
    await send(ann, { ...body, poster_attachment_id: poster });
    expect((await send(ann, body)).body.message).toBe('请求标识已被使用');
    expect((await send(ann, { ...body, poster_attachment_id: poster })).status).toBe(200);
    expect(await useCounts(video, poster)).toEqual([1, 1]);
  });

  it('keep their files until the last of them is recalled', async () => {
    const id = await uploaded('file', 'shared');
    const original = (await send(ann, { type: 'file', attachment_id: id })).body.data;
    const copy = (await send(ben, { forward_id: original.id })).body.data;
    expect(copy).toMatchObject({ is_forwarded: true, extra: { name: 'a.bin' }, attachments: [{ id }] });
    expect(await useCounts(id)).toEqual([2]);
    const recalled = await ann.post(`/api/messages/${original.id}/recall`);
    expect(recalled.body.data).toMatchObject({ content: '', extra: null, attachments: [] });
    await sweep();
    expect((await download(test, copy.content)).status).toBe(200);
    await ben.post(`/api/messages/${copy.id}/recall`);
    await sweep();
    expect((await download(test, copy.content)).status).toBe(404);
    expect(await send(ann, { type: 'file', attachment_id: id })).toMatchObject({ status: 404 });
  });

  it('hide their attachments from a member who has deleted them', async () => {
    const id = await uploaded('file', 'x');
    const sent = (await send(ann, { type: 'file', attachment_id: id })).body.data;
    await ben.delete(`/api/messages/${sent.id}`);
    const [seen] = (await ben.get(`/api/messages/conversations/${chat}/messages?per_page=1`)).body.data.items;
    expect(seen).toMatchObject({ content: '', attachments: [], is_deleted: true });
  });

  it('are the only files that the sweep keeps after a day', async () => {
    const ids = [await uploaded('image', PNG), await uploaded('file', 'unsent')];
    await send(ann, { type: 'image', attachment_id: ids[0] });
    const [before] = (await test.query('SELECT bytes FROM attachment_usage WHERE user_id = 1')) as {
      bytes: number;
    }[];
    const stored = test.storedFiles();
    test.clock.advance(86_399);
    await sweep();
    expect(test.storedFiles()).toHaveLength(stored.length);
    test.clock.advance(1);
    await sweep();
    // The rejected files of other tests are deleted too.
    const rows = (await test.query('SELECT use_count, size, user_id FROM attachments')) as {
      use_count: number;
    }[];
    expect(rows.filter(({ use_count }) => use_count === 0)).toEqual([]);
    expect(rows.length).toBeGreaterThan(3);
    const [after] = (await test.query('SELECT bytes FROM attachment_usage WHERE user_id = 1')) as {
      bytes: number;
    }[];
    const sums = (await test.query(
      'SELECT SUM(stored_bytes) AS bytes FROM attachments WHERE user_id = 1',
    )) as { bytes: number | string }[];
    expect(Number(after?.bytes)).toBe(Number(sums[0]?.bytes));
    expect(Number(after?.bytes)).toBeLessThan(Number(before?.bytes));
  });

  it('are sent or not found when the sweep runs at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await uploaded('file', `race ${round}`);
      test.clock.advance(86_400);
      const [sent] = await Promise.all([send(ann, { type: 'file', attachment_id: id }), sweep()]);
      expect([200, 404]).toContain(sent.status);
      const isKept = (await useCounts(id)).length === 1;
      expect(isKept).toBe(sent.status === 200);
      if (isKept) expect((await download(test, sent.body.data.content)).status).toBe(200);
    }
  });

  it('are 404 for everybody when the storage has lost their bytes', async () => {
    const id = await uploaded('file', 'lost');
    const { content } = (await send(ann, { type: 'file', attachment_id: id })).body.data;
    for (const name of test.storedFiles()) rmSync(join(test.folder, name));
    expect(await download(test, content)).toMatchObject({ status: 404, body: { message: '附件不存在' } });
  });
});
