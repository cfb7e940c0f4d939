import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttachmentSweep } from '../../src/attachments/services/attachment-sweep.job';
import type { ApiClient } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, download, upload, WAV } from '../support/attachments';
import { S3_KEY, S3Server } from '../support/s3-server';

describe('Attachments in S3', () => {
  let folder: string;
  let server: S3Server;
  let test: AttachmentsApp;
  let api: ApiClient;
  const before = { id: process.env.AWS_ACCESS_KEY_ID, secret: process.env.AWS_SECRET_ACCESS_KEY };
  const setKey = (id: string | undefined, secret: string | undefined): void => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    if (id !== undefined) process.env.AWS_ACCESS_KEY_ID = id;
    if (secret !== undefined) process.env.AWS_SECRET_ACCESS_KEY = secret;
  };
  beforeAll(async () => {
    setKey(S3_KEY.id, S3_KEY.secret);
    folder = mkdtempSync(join(tmpdir(), 'callboard-drafts-'));
    server = await S3Server.start();
    test = await createAttachmentsApp({
      ATTACHMENT_STORAGE: `s3://bucket/some/prefix?region=eu-test-1&endpoint=${server.endpoint}`,
      ATTACHMENT_DRAFTS: folder,
    });
    api = await test.api.as({ id: 1 });
  });
  afterEach(() => {
    delete server.fault;
  });
  afterAll(async () => {
    await test.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
    setKey(before.id, before.secret);
  });

  const drafts = (): string[] => readdirSync(folder);
  const usage = () => test.query('SELECT user_id, bytes FROM attachment_usage');

  it('are stored under the prefix, and fetched there by a signed URL with a fixed type', async () => {
    const { data } = (await upload(api, 'audio', WAV)).body;
    const [[key, bytes] = ['', Buffer.alloc(0)]] = server.objects;
    expect(key).toMatch(/^bucket\/some\/prefix\/[0-9a-f]{32}$/);
    expect(bytes).toEqual(WAV);
    const { status, headers } = await download(test, data.url);
    expect(status).toBe(302);
    expect(headers['cache-control']).toBe('private, max-age=240');
    const location = String(headers['location']);
    const fetched = await fetch(location);
    expect(fetched.status).toBe(200);
    expect(fetched.headers.get('content-type')).toBe('audio/wav');
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(WAV);
    expect((await fetch(location.replace('audio%2Fwav', 'text%2Fhtml'))).status).toBe(403);
    // A client that follows a redirect of HEAD sends HEAD, for which the signature is not valid.
    const head = await download(test, data.url, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(String(WAV.length));
  });

  it('are downloads if they are files', async () => {
    const { data } = (await upload(api, 'file', '<script>', { fileName: '报告.html' })).body;
    const fetched = await fetch(String((await download(test, data.url)).headers['location']));
    expect(fetched.headers.get('content-type')).toBe('application/octet-stream');
    expect(fetched.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''%E6%8A%A5%E5%91%8A.html",
    );
  });

  it.each(['refuse', 'cut'] as const)(
    'are not accepted, and leave nothing, if the server does %s',
    async (fault) => {
      const [objects, rows, files, used] = [server.objects.size, await countRows(), drafts(), await usage()];
      server.fault = fault;
      expect(await upload(api, 'file', 'x')).toMatchObject({
        status: 503,
        body: { message: '服务暂不可用' },
      });
      expect(await usage()).toEqual(used);
      delete server.fault;
      // The row is deleted with the bytes; if the server is away, the sweep deletes it.
      await test.app.get(AttachmentSweep).sweep();
      expect([server.objects.size, await countRows(), drafts()]).toEqual([objects, rows, files]);
      expect(await usage()).toEqual(used);
    },
  );

  it('are deleted by the sweep', async () => {
    await upload(api, 'file', 'unsent');
    test.clock.advance(86_400);
    await test.app.get(AttachmentSweep).sweep();
    expect(server.objects.size).toBe(0);
    expect(await countRows()).toBe(0);
  });

  const countRows = async (): Promise<number> => (await test.query('SELECT id FROM attachments')).length;
});
