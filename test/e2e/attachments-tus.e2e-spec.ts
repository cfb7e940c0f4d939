import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AttachmentSweep } from '../../src/attachments/services/attachment-sweep.job';
import { FileStorage } from '../../src/attachments/storage/file-storage';
import { isSqlite } from '../../src/database/sql/dialect';
import type { ApiClient } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, download, upload, WAV } from '../support/attachments';
import { appendBytes, createUpload, TUS, tus } from '../support/tus';

const MAX_BYTES = 300_000;
const DAY_SECONDS = 86_400;

describe('Resumable uploads', () => {
  let test: AttachmentsApp;
  let api: ApiClient;
  beforeAll(async () => {
    test = await createAttachmentsApp({
      ATTACHMENT_MAX_BYTES: String(MAX_BYTES),
      ATTACHMENT_QUOTA_BYTES: '1000000',
      HTTP_STATUS_MODE: 'always_200',
    });
    api = await test.api.as({ id: 1 });
  });
  afterAll(() => test.close());

  const created = async (size: number, fields?: Record<string, string>, by = api): Promise<string> => {
    const { status, headers } = await createUpload(by, size, fields);
    expect(status).toBe(201);
    return String(headers['location']);
  };
  const stateOf = async (path: string) => {
    const { status, headers } = await tus(api, 'HEAD', path);
    return { status, offset: headers['upload-offset'], length: headers['upload-length'] };
  };

  it('describe themselves', async () => {
    const { status, headers } = await tus(test.api, 'OPTIONS', TUS);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
      'tus-max-size': '300000',
      'tus-checksum-algorithm': 'sha1,sha256',
    });
  });

  it('take a file in parts, and respond to the last one as to a form', async () => {
    const first = await createUpload(api, 11, { type: 'file', filename: '../报告.html', duration: '3' });
    expect(first).toMatchObject({
      status: 201,
      headers: {
        'tus-resumable': '1.0.0',
        location: expect.stringMatching(/^\/api\/attachments\/tus\/[0-9a-f]{32}$/),
        'upload-expires': 'Sun, 01 Feb 2026 08:00:00 GMT',
      },
    });
    expect(Object.keys(first.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const path = String(first.headers['location']);
    expect(await appendBytes(api, path, 0, 'hello ')).toMatchObject({
      status: 204,
      headers: { 'upload-offset': '6', 'upload-expires': 'Sun, 01 Feb 2026 08:00:00 GMT' },
      text: '',
    });
    expect(await stateOf(path)).toEqual({ status: 200, offset: '6', length: '11' });
    const last = await appendBytes(api, path, 6, 'world');
    const form = (await upload(api, 'file', 'hello world', { fileName: '../报告.html' })).body;
    expect(last).toMatchObject({ status: 200, headers: { 'upload-offset': '11' } });
    expect(last.body).toEqual({
      ...form,
      data: { ...form.data, id: expect.any(Number), url: expect.any(String) },
    });
    expect((await download(test, last.body.data.url)).bytes.toString()).toBe('hello world');
    // The response may have been lost.
    const again = await appendBytes(api, path, 11, '');
    expect(again).toMatchObject({ status: 200, body: { data: { id: last.body.data.id } } });
  });

  it('take the whole file with the first request', async () => {
    const { status, headers, body } = await createUpload(api, 48, { type: 'audio', duration: '12' }, WAV);
    expect(status).toBe(201);
    expect(headers['location']).toMatch(/^\/api\/attachments\/tus\//);
    expect(body.data).toMatchObject({ type: 'audio', mime_type: 'audio/wav', duration: 12, name: 'file' });
  });

  it('leave nothing of a first request that fails, whose client does not learn the id', async () => {
    await test.query('DELETE FROM resumable_uploads');
    const stored = test.storedFiles().length;
    expect((await createUpload(api, 48, { type: 'image' }, WAV)).status).toBe(422);
    expect(await test.query('SELECT id FROM resumable_uploads')).toEqual([]);
    const storage = test.app.get(FileStorage);
    const missing = jest.spyOn(storage, 'resumableDraft').mockRejectedValueOnce(new Error('EACCES'));
    expect((await createUpload(api, 5)).status).toBe(503);
    missing.mockRestore();
    expect(await test.query('SELECT id FROM resumable_uploads')).toEqual([]);
    expect(test.storedFiles()).toHaveLength(stored);
  });

  it('keep the bytes of a request only if they match their checksum', async () => {
    const path = await created(5);
    const checksum = (text: string): Record<string, string> => ({
      'upload-checksum': `sha1 ${createHash('sha1').update(text).digest('base64')}`,
    });
    const wrong = await appendBytes(api, path, 0, 'hullo', checksum('hello'));
    expect(wrong).toMatchObject({ status: 460, body: { code: 460, message: '校验和不一致', data: null } });
    expect(await stateOf(path)).toMatchObject({ offset: '0' });
    const unknown = await appendBytes(api, path, 0, 'hello', { 'upload-checksum': 'crc32 AAAAAA==' });
    expect(unknown).toMatchObject({ status: 400 });
    const right = await appendBytes(api, path, 0, 'hello', checksum('hello'));
    expect((await download(test, right.body.data.url)).bytes.toString()).toBe('hello');
  });

  it.each<[string, number, Record<string, string>, Record<string, string>, number, string]>([
    ['no type', 5, { filename: 'a' }, {}, 422, 'type 字段不能为空'],
    ['an unknown type', 5, { type: 'text' }, {}, 422, 'type 取值无效'],
    ['no bytes', 0, { type: 'file' }, {}, 422, 'file 字段不能为空'],
    ['too many bytes', MAX_BYTES + 1, { type: 'file' }, {}, 413, '请求体过大'],
    ['another version', 5, { type: 'file' }, { 'tus-resumable': '2.0.0' }, 412, '不支持的 tus 版本'],
    ['a malformed length', 5, { type: 'file' }, { 'upload-length': '-1' }, 400, '请求无效'],
  ])('reject a creation with %s', async (_, size, fields, headers, status, message) => {
    const { 'tus-resumable': version = '1.0.0', ...others } = headers;
    const sent = Object.entries(fields).map(
      ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
    );
    const response = await api
      .with({
        'tus-resumable': version,
        'upload-length': String(size),
        'upload-metadata': sent.join(','),
        ...others,
      })
      .send('POST', TUS);
    expect(response).toMatchObject({ status, body: { code: status, message, data: null } });
  });

  it('reject bytes at another position, beyond the end, or of another content type', async () => {
    const path = await created(5);
    expect(await appendBytes(api, path, 2, 'llo')).toMatchObject({
      status: 409,
      body: { message: '上传位置不一致' },
    });
    expect(await appendBytes(api, path, 0, 'hello!')).toMatchObject({ status: 413 });
    expect(await appendBytes(api, path, 0, 'hello', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    });
    expect(await stateOf(path)).toMatchObject({ offset: '0' });
  });

  it('delete a file that is not of its type', async () => {
    const before = test.storedFiles();
    const path = await created(11, { type: 'image', filename: 'a.png' });
    expect(await appendBytes(api, path, 0, '<svg></svg>')).toMatchObject({
      status: 422,
      body: { message: 'file 取值无效' },
    });
    expect(await stateOf(path)).toMatchObject({ status: 404 });
    expect(test.storedFiles()).toEqual(before);
  });

  it('keep their bytes until the attachment is committed', async () => {
    const path = await created(WAV.length, { type: 'audio' });
    await test.query(
      isSqlite(test.app.get(DataSource).manager)
        ? "CREATE TRIGGER refuses BEFORE UPDATE ON attachments WHEN NEW.status = 'ready' BEGIN SELECT RAISE(ABORT, 'no'); END"
        : "CREATE TRIGGER refuses BEFORE UPDATE ON attachments FOR EACH ROW IF NEW.status = 'ready' THEN SIGNAL SQLSTATE '45000'; END IF",
    );
    expect((await appendBytes(api, path, 0, WAV)).status).toBe(503);
    await test.query('DROP TRIGGER refuses');
    const { body } = await appendBytes(api, path, WAV.length, '');
    expect(body.data).toMatchObject({ type: 'audio', size: WAV.length });
    expect(await stateOf(path)).toMatchObject({ offset: String(WAV.length) });
  });

  it('belong to their user', async () => {
    const path = await created(5);
    const other = await test.api.as({ id: 2 });
    expect(await tus(other, 'HEAD', path)).toMatchObject({ status: 404 });
    expect(await appendBytes(other, path, 0, 'hello')).toMatchObject({
      status: 404,
      body: { message: '附件不存在' },
    });
    expect(await tus(other, 'DELETE', path)).toMatchObject({ status: 404 });
    expect(await createUpload(test.api, 5)).toMatchObject({ status: 401, body: { code: 401 } });
    expect(await stateOf(path)).toMatchObject({ status: 200 });
  });

  it('are deleted by DELETE, with their bytes', async () => {
    const before = test.storedFiles();
    const path = await created(5);
    await appendBytes(api, path, 0, 'he');
    expect(await tus(api, 'DELETE', path)).toMatchObject({ status: 204 });
    expect(await stateOf(path)).toMatchObject({ status: 404 });
    expect(test.storedFiles()).toEqual(before);
  });

  it('count for the quota while they are incomplete, also in parallel', async () => {
    const other = await test.api.as({ id: 3 });
    const responses = await Promise.all(Array.from({ length: 5 }, () => createUpload(other, MAX_BYTES)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 409, 409,
    ]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({ message: '存储空间不足' });
  });

  it('expire after a day', async () => {
    const before = test.storedFiles();
    const path = await created(5);
    await appendBytes(api, path, 0, 'he');
    test.clock.advance(DAY_SECONDS);
    expect(await stateOf(path)).toMatchObject({ status: 404 });
    expect(await appendBytes(api, path, 2, 'llo')).toMatchObject({ status: 404 });
    await test.app.get(AttachmentSweep).sweep();
    expect(await test.query('SELECT COUNT(*) AS count FROM resumable_uploads')).toEqual([{ count: 0 }]);
    expect(before).toEqual(expect.arrayContaining(test.storedFiles()));
  });
});
