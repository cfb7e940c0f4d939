import sharp from 'sharp';
import { AttachmentSweep } from '../../src/attachments/services/attachment-sweep.job';
import { AbandonedConversationsService } from '../../src/messaging/services/abandoned-conversations.service';
import type { ApiClient } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, download, upload } from '../support/attachments';

describe('Avatars made of attachments', () => {
  let test: AttachmentsApp;
  let ann: ApiClient;
  let ben: ApiClient;
  let png: Buffer;
  beforeAll(async () => {
    test = await createAttachmentsApp();
    ann = await test.api.as({ id: 1 });
    ben = await test.api.as({ id: 2 });
    await ben.get('/api/auth/me');
    png = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#08c' } })
      .png()
      .toBuffer();
  });
  afterAll(() => test.close());

  const uploaded = async (api: ApiClient, type = 'image', content: string | Buffer = png): Promise<number> =>
    (await upload(api, type, content)).body.data.id;
  const useCount = async (id: number): Promise<unknown> =>
    ((await test.query(`SELECT use_count FROM attachments WHERE id = ${id}`)) as { use_count: number }[])[0]
      ?.use_count;
  const sweep = (): Promise<void> => test.app.get(AttachmentSweep).sweep();

  it('are WebP pictures of 256 × 256 pixels under a URL that does not expire', async () => {
    const id = await uploaded(ann);
    const { avatar } = (await ann.put('/api/auth/me', { avatar_attachment_id: id, avatar: null })).body.data;
    expect(avatar).toMatch(/^https:\/\/api\.example\/files\/\d+\.png\?variant=avatar&signature=[\w-]{43}$/);
    expect((await ann.get('/api/auth/me')).body.data.avatar).toBe(avatar);
    test.clock.advance(100 * 86_400);
    await sweep();
    const { status, headers, bytes } = await download(test, avatar);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  });

  it('use their attachment until they are replaced, by whatever way', async () => {
    const [first, second] = [await uploaded(ann), await uploaded(ann)];
    const { avatar } = (await ann.put('/api/auth/me', { avatar_attachment_id: first })).body.data;
    await ann.put('/api/auth/me', { avatar_attachment_id: first });
    expect(await useCount(first)).toBe(1);
    await ann.put('/api/auth/me', { avatar_attachment_id: second });
    expect([await useCount(first), await useCount(second)]).toEqual([0, 1]);
    await sweep();
    expect((await download(test, avatar)).status).toBe(404);
    const admin = await test.api.as({ id: 900, role: 'admin' });
    expect((await admin.put('/api/admin/users/1', { avatar: 'https://a.example/x.png' })).status).toBe(200);
    expect(await useCount(second)).toBe(0);
  });

  it('are not kept by another user who copies their URL', async () => {
    const id = await uploaded(ann);
    const { avatar } = (await ann.put('/api/auth/me', { avatar_attachment_id: id })).body.data;
    await ben.put('/api/auth/me', { avatar });
    await ben.put('/api/auth/me', { avatar: null });
    expect(await useCount(id)).toBe(1);
  });

  it('can be pictures of groups, until these are dissolved', async () => {
    const [first, second] = [await uploaded(ann), await uploaded(ann)];
    const group = { type: 'group', name: 'Trip', member_ids: [2], avatar_attachment_id: first };
    const created = (await ann.post('/api/messages/conversations', group)).body.data;
    expect((await download(test, created.avatar)).status).toBe(200);
    const path = `/api/messages/conversations/${created.id}`;
    const changed = (await ann.put(path, { avatar_attachment_id: second })).body.data;
    expect(changed.avatar).not.toBe(created.avatar);
    expect([await useCount(first), await useCount(second)]).toEqual([0, 1]);
    await ann.delete(`${path}/members/2`);
    await ann.delete(`${path}/members/1`);
    await test.app.get(AbandonedConversationsService).trim();
    expect(await useCount(second)).toBe(0);
  });

  it('are made only of own images', async () => {
    const message = async (id: number): Promise<unknown> =>
      (await ann.put('/api/auth/me', { avatar_attachment_id: id })).body.message;
    expect(await message(await uploaded(ben))).toBe('附件不存在');
    expect(await message(999_999)).toBe('附件不存在');
    expect(await message(await uploaded(ann, 'file', 'x'))).toBe('avatar_attachment_id 取值无效');
  });
});
