import type { ApiClient } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, upload } from '../support/attachments';
import { createUsers, newUserIds } from '../support/calls';
import { clientWithKey } from '../support/keys';
import { dataOf } from '../support/messaging';
import { createTestApp } from '../support/test-app';

const FORBIDDEN = { code: 403, message: '无权限', data: null };
const USER_NOT_FOUND = { code: 404, message: '用户不存在', data: null };
const TEXT = { type: 'text', content: 'your parcel is here' };

describe('An API key on behalf of a user', () => {
  let test: AttachmentsApp;
  let admin: ApiClient;
  let sender: ApiClient;
  let ann: ApiClient;
  let bob: ApiClient;
  let annId: number;
  let bobId: number;
  let conversation: number;
  beforeAll(async () => {
    test = await createAttachmentsApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    sender = await clientWithKey(test.api, ['messages:send-as']);
    [annId = 0, bobId = 0] = newUserIds(2);
    [ann = admin, bob = admin] = await createUsers(test.api, annId, bobId);
    conversation = dataOf(
      await as(annId).post('/api/messages/conversations', { type: 'single', peer_id: bobId }),
    ).id;
  });
  afterAll(() => test?.close());

  const as = (named: number | string): ApiClient => sender.with({ 'x-on-behalf-of': String(named) });
  const messages = () => `/api/messages/conversations/${conversation}/messages`;

  it('opens a conversation, sends and recalls messages as that user', async () => {
    const sent = dataOf(await as(annId).post(messages(), TEXT));
    expect(sent).toMatchObject({ sender_id: annId, is_self: true, content: TEXT.content });
    const [seen] = dataOf(await bob.get(messages())).items;
    expect(seen).toMatchObject({ id: sent.id, sender_id: annId, is_self: false });
    expect(dataOf(await as(annId).post(`/api/messages/${sent.id}/recall`)).is_recalled).toBe(true);
  });

  it('uploads a file that belongs to that user, and sends it', async () => {
    const { id } = dataOf(await upload(as(annId), 'file', 'your invoice', { fileName: 'invoice.txt' }));
    const body = { type: 'file', attachment_id: id };
    expect((await as(bobId).post(messages(), body)).body).toEqual({
      code: 404,
      message: '附件不存在',
      data: null,
    });
    expect(dataOf(await ann.post(messages(), body)).extra).toMatchObject({ name: 'invoice.txt', size: 12 });
    expect(dataOf(await as(annId).post(messages(), body)).attachments).toMatchObject([{ id }]);
    expect(await test.query('SELECT user_id, bytes FROM attachment_usage')).toEqual([
      { user_id: annId, bytes: 12 },
    ]);
  });

  it('has the permissions of that user', async () => {
    const [strangerId = 0] = newUserIds(1);
    await createUsers(test.api, strangerId);
    expect((await as(strangerId).post(messages(), TEXT)).body.message).toBe('无权访问此会话');
    const { id } = dataOf(await ann.post(messages(), TEXT));
    expect((await as(bobId).post(`/api/messages/${id}/recall`)).body.message).toBe('无权操作');
    await bob.put(`/api/users/${annId}/block`);
    expect((await as(annId).post(messages(), TEXT)).body.message).toBe('无权操作');
    await bob.delete(`/api/users/${annId}/block`);
    expect((await as(annId).post(messages(), TEXT)).status).toBe(200);
  });

  it('names the user by the external id, byte for byte', async () => {
    const [id = 0] = newUserIds(1);
    await createUsers(test.api, id);
    await test.query(`UPDATE users SET external_id = 'crm/Zoë 7' WHERE id = ${id}`);
    const group = { type: 'group', name: 'Parcels' };
    const created = await as('ext:crm%2FZo%C3%AB%207').post('/api/messages/conversations', group);
    expect(created.status).toBe(200);
    const path = `/api/messages/conversations/${created.body.data.id}/messages`;
    expect(dataOf(await as(`ext:crm/Zo${encodeURIComponent('ë')} 7`).post(path, TEXT)).sender_id).toBe(id);
    expect((await as('ext:crm%2FZoe%207').post(path, TEXT)).body).toEqual(USER_NOT_FOUND);
    expect((await as('ext:CRM%2FZo%C3%AB%207').post(path, TEXT)).body).toEqual(USER_NOT_FOUND);
    await test.query(`UPDATE users SET issuer = 'https://sso.example' WHERE id = ${id}`);
    expect((await as('ext:crm%2FZo%C3%AB%207').post(path, TEXT)).body).toEqual(USER_NOT_FOUND);
  });

  it('requires a valid user in the header', async () => {
    const problem = (message: string) => ({ code: 422, message: `X-On-Behalf-Of ${message}`, data: null });
    expect((await sender.post(messages(), TEXT)).body).toEqual(problem('字段不能为空'));
    expect((await as('').post(messages(), TEXT)).body).toEqual(problem('字段不能为空'));
    expect((await as('ann').post(messages(), TEXT)).body).toEqual(problem('取值无效'));
    expect((await as(9_007_199_254_740_991).post(messages(), TEXT)).body).toEqual(USER_NOT_FOUND);
    // The scope is checked first, and the header is ignored with a token.
    const other = await clientWithKey(test.api, ['users:write']);
    expect((await other.post(messages(), TEXT)).body).toEqual(FORBIDDEN);
    const own = await ann.with({ 'x-on-behalf-of': String(bobId) }).post(messages(), TEXT);
    expect(own.body.data.sender_id).toBe(annId);
  });

  it('rejects a disabled user, and creates no new one', async () => {
    const [id = 0, never = 0] = newUserIds(2);
    await createUsers(test.api, id);
    const group = { type: 'group', name: 'Gone' };
    expect((await as(id).post('/api/messages/conversations', group)).status).toBe(200);
    await admin.put(`/api/admin/users/${id}`, { status: 0 });
    expect((await as(id).post('/api/messages/conversations', group)).body).toEqual(FORBIDDEN);
    expect((await as(never).post('/api/messages/conversations', group)).body).toEqual(USER_NOT_FOUND);
    expect((await admin.get(`/api/admin/users/${never}`)).status).toBe(404);
  });

  it('counts its requests against its own rate limit', async () => {
    const limited = await createTestApp({
      env: { RATE_LIMIT_PER_MINUTE: '2' },
      database: test.database,
      clock: test.clock,
    });
    const key = await clientWithKey(limited.api, ['messages:send-as'], { rate_per_minute: 4 });
    const statuses: number[] = [];
    for (const id of [annId, annId, bobId, annId, bobId])
      statuses.push((await key.with({ 'x-on-behalf-of': String(id) }).post(messages(), TEXT)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect((await (await limited.api.as({ id: annId })).get('/api/auth/me')).status).toBe(200);
    await limited.close();
  });
});
