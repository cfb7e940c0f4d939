import sharp from 'sharp';
import type { ApiClient } from '../support/api-client';
import {
  type AttachmentsApp,
  createAttachmentsApp,
  download,
  sendForm,
  upload,
  WAV,
} from '../support/attachments';

const MAX_BYTES = 300_000;

type Content = string | Buffer;

/** Returns a JPEG of 40 × 20 pixels that is stored rotated, with a location in its metadata. */
const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#c03020' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '31/1 14/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

describe('Attachments', () => {
  let test: AttachmentsApp;
  let api: ApiClient;
  beforeAll(async () => {
    test = await createAttachmentsApp({
      ATTACHMENT_MAX_BYTES: String(MAX_BYTES),
      ATTACHMENT_QUOTA_BYTES: '1000000',
      ATTACHMENT_URL_SECONDS: '3600',
    });
    api = await test.api.as({ id: 1 });
  });
  afterAll(() => test.close());

  describe('POST /api/attachments', () => {
    it('returns a file with its name, size and signed URL', async () => {
      const { status, body } = await upload(api, 'file', '<h1>Hello</h1>', { fileName: '../报告.html' });
      expect(status).toBe(200);
      expect(body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          id: expect.any(Number),
          type: 'file',
          name: '报告.html',
          size: 14,
          mime_type: null,
          width: null,
          height: null,
          duration: null,
          preview: null,
          url: expect.stringMatching(
            /^https:\/\/api\.example\/files\/\d+\.html\?expires=\d+&signature=[\w-]{43}$/,
          ),
          thumbnail_url: null,
          poster_url: null,
          expires_at: '2026-01-31T10:00:00.000Z',
        },
      });
      expect(test.storedFiles()).toEqual([expect.stringMatching(/^[0-9a-f]{2}\/[0-9a-f]{32}$/)]);
    });

    it('converts a picture: upright, without the place where it was taken, with a thumbnail and a preview', async () => {
      const sent = Buffer.concat([await photo(), Buffer.from('<script>alert(1)</script>')]);
      const { data } = (await upload(api, 'image', sent, { fileName: 'a.svg' })).body;
      expect(data).toMatchObject({ type: 'image', mime_type: 'image/jpeg', width: 20, height: 40 });
      expect(data.preview).toMatch(/^data:image\/webp;base64,[A-Za-z0-9+/=]{10,1400}$/);
      const picture = await download(test, data.url);
      expect(picture.bytes).toHaveLength(data.size);
      expect(picture.bytes.includes('script')).toBe(false);
      const { format, exif, orientation } = await sharp(picture.bytes).metadata();
      expect({ format, exif, orientation }).toEqual({
        format: 'jpeg',
        exif: undefined,
        orientation: undefined,
      });
      const thumbnail = await download(test, data.thumbnail_url);
      expect(thumbnail.headers).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(thumbnail.bytes.length),
      });
    });

    it('keeps the frames of an animation', async () => {
      const frames = await Promise.all(
        ['#f00', '#0f0'].map((background) =>
          sharp({ create: { width: 8, height: 8, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const gif = await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer();
      const { data } = (await upload(api, 'image', gif)).body;
      expect(data).toMatchObject({ mime_type: 'image/gif', width: 8, height: 8 });
      const stored = await download(test, data.url);
      expect(await sharp(stored.bytes).metadata()).toMatchObject({ pages: 2 });
    });

    it('keeps the duration of audio, not of other types', async () => {
      const { data } = (await upload(api, 'audio', WAV, { duration: 12 })).body;
      expect(data).toMatchObject({ type: 'audio', mime_type: 'audio/wav', duration: 12 });
      expect((await upload(api, 'file', 'x', { duration: 12 })).body.data.duration).toBeNull();
    });

    const heic = Buffer.from('00000018667479706865696300000000686569636d696631', 'hex');
    it('accepts a HEIC picture as a file', async () => {
      const { data } = (await upload(api, 'image', heic, { fileName: 'IMG_1.HEIC' })).body;
      expect(data).toMatchObject({ type: 'file', mime_type: 'image/heic', width: null });
    });

    const bomb = (): Promise<Buffer> =>
      sharp({ create: { width: 10_000, height: 5_001, channels: 3, background: '#000' } })
        .png({ compressionLevel: 9 })
        .toBuffer();
    /** Returns a GIF with 13 frames of one pixel on a canvas of 2,000 × 2,000. */
    const animatedBomb = (): Buffer => {
      const frame = '2c0000000001000100000202440100';
      return Buffer.from(`474946383961${'d007'.repeat(2)}800000000000ffffff${frame.repeat(13)}3b`, 'hex');
    };
    const rejected: [
      what: string,
      type: string,
      content: () => Content | Promise<Content>,
      message: string,
    ][] = [
      ['an SVG as an image', 'image', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', 'file 取值无效'],
      ['HTML as an image', 'image', () => '<html><script>1</script>', 'file 取值无效'],
      ['a cut picture', 'image', async () => (await photo()).subarray(0, 300), 'file 取值无效'],
      ['a picture of 50,010,000 pixels', 'image', bomb, 'file 取值无效'],
      ['an animation of 52,000,000 pixels in 215 bytes', 'image', animatedBomb, 'file 取值无效'],
      ['text as audio', 'audio', () => 'hello', 'file 取值无效'],
      ['audio as a video', 'video', () => WAV, 'file 取值无效'],
      ['no bytes', 'file', () => '', 'file 字段不能为空'],
      ['an unknown type', 'text', () => 'x', 'type 取值无效'],
    ];
    it.each(rejected)('rejects %s and stores nothing', async (_, type, content, message) => {
      const before = test.storedFiles();
      const response = await upload(api, type, await content());
      expect(response).toMatchObject({ status: 422, body: { code: 422, message, data: null } });
      expect(test.storedFiles()).toEqual(before);
    });

    const file = { name: 'file', content: 'x', fileName: 'x' };
    it.each([
      ['no type', [file], 'type 字段不能为空'],
      ['no file', [{ name: 'type', content: 'file' }], 'file 字段不能为空'],
      ['two files', [{ name: 'type', content: 'file' }, file, file], 'file 数量不能超过 1'],
      [
        'a negative duration',
        [{ name: 'type', content: 'audio' }, { name: 'duration', content: '-1' }, file],
        'duration 必须是整数',
      ],
    ])('rejects a form with %s', async (_, parts, message) => {
      expect(await sendForm(api, parts)).toMatchObject({ status: 422, body: { message } });
    });

    it('rejects a form that ends too early, or has no boundary', async () => {
      const cut = api.with({ 'content-type': 'multipart/form-data; boundary=x' });
      const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
      expect(await cut.send('POST', '/api/attachments', part)).toMatchObject({
        status: 422,
        body: { message: 'file 取值无效' },
      });
      const none = api.with({ 'content-type': 'multipart/form-data;' });
      expect(await none.send('POST', '/api/attachments', part)).toMatchObject({ status: 422 });
    });

    it('accepts exactly ATTACHMENT_MAX_BYTES', async () => {
      const before = test.storedFiles();
      const tooLarge = await upload(api, 'file', Buffer.alloc(MAX_BYTES + 1));
      expect(tooLarge).toMatchObject({ status: 413, body: { code: 413, message: '请求体过大' } });
      expect(test.storedFiles()).toEqual(before);
      const { body } = await upload(api, 'file', Buffer.alloc(MAX_BYTES));
      expect(body.data.size).toBe(MAX_BYTES);
    });

    it('accepts no other body, and no other route accepts a form', async () => {
      expect(await api.post('/api/attachments', { type: 'file' })).toMatchObject({ status: 415 });
      const form = api.with({ 'content-type': 'multipart/form-data; boundary=x' });
      expect(await form.send('POST', '/api/messages/conversations', '--x--')).toMatchObject({ status: 415 });
    });

    it('grants parallel uploads no more than the quota together', async () => {
      const other = await test.api.as({ id: 2 });
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => upload(other, 'file', Buffer.alloc(MAX_BYTES))),
      );
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 200, 200, 409, 409,
      ]);
      expect(responses.find(({ status }) => status === 409)?.body).toEqual({
        code: 409,
        message: '存储空间不足',
        data: null,
      });
      expect(await test.query('SELECT bytes FROM attachment_usage WHERE user_id = 2')).toEqual([
        { bytes: 900_000 },
      ]);
    });
  });

  describe('GET /files/:file', () => {
    const uploaded = async (type: string, content: string | Buffer): Promise<{ url: string; id: number }> =>
      (await upload(await test.api.as({ id: 3 }), type, content)).body.data;

    it('returns a file only as a download', async () => {
      const { url } = await uploaded('file', '<script>1</script>');
      const { status, headers, bytes } = await download(test, url);
      expect(status).toBe(200);
      expect(bytes.toString()).toBe('<script>1</script>');
      expect(headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': '18',
        'content-disposition': "attachment; filename*=UTF-8''page.html",
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'cache-control': 'private, max-age=7200, immutable',
        'accept-ranges': 'bytes',
      });
    });

    it('returns audio inline as its own type, in ranges', async () => {
      const { url } = await uploaded('audio', WAV);
      const whole = await download(test, url);
      expect(whole.headers).toMatchObject({ 'content-type': 'audio/wav' });
      expect(whole.headers['content-disposition']).toBeUndefined();
      const part = await download(test, url, { range: 'bytes=8-11' });
      expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 8-11/48' } });
      expect(part.bytes.toString()).toBe('WAVE');
      const beyond = await download(test, url, { range: 'bytes=48-' });
      expect(beyond).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */48' } });
      const etag = String(whole.headers['etag']);
      const changed = { range: 'bytes=0-0', 'if-range': '"another"' };
      expect(await download(test, url, changed)).toMatchObject({ status: 200 });
      expect(await download(test, url, { range: 'bytes=0-0', 'if-range': etag })).toMatchObject({
        status: 206,
      });
      expect(await download(test, url, { 'if-none-match': etag })).toMatchObject({ status: 304 });
      const head = await download(test, url, {}, 'HEAD');
      expect(head).toMatchObject({ status: 200, headers: { 'content-length': '48' } });
      expect(head.bytes).toHaveLength(0);
    });

    it('rejects a changed URL with 403, and the URL of a deleted attachment with 404', async () => {
      const { url, id } = await uploaded('file', 'x');
      const changed = url.replace('.html', '.svg');
      expect(await download(test, changed)).toMatchObject({ status: 403, body: { message: '无权限' } });
      await test.query(`DELETE FROM attachments WHERE id = ${id}`);
      expect(await download(test, url)).toMatchObject({ status: 404, body: { message: '附件不存在' } });
    });
  });

  it('is disabled without a storage', async () => {
    const disabled = await createAttachmentsApp({ ATTACHMENT_STORAGE: 'off' });
    const response = await upload(await disabled.api.as({ id: 1 }), 'file', 'x');
    expect(response).toMatchObject({ status: 404, body: { message: '接口不存在' } });
    await disabled.close();
  });
});
