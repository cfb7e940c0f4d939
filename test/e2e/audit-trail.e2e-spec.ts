import { PASSWORD, createUser, login } from '../support/accounts';
import { claimsOf, type ApiClient } from '../support/api-client';
import { auditRows } from '../support/audit/audit-rows';
import { type AttachmentsApp, createAttachmentsApp, upload } from '../support/attachments';
import { createUsers, newUserIds } from '../support/calls';
import { clientWithKey, makeKey } from '../support/keys';
import { dataOf } from '../support/messaging';
import { createTestApp } from '../support/test-app';
import { signToken } from '../support/tokens';
import { testUser } from '../support/users';
import { deliverAll, Receiver, dispatchEvents, subscribe, WEBHOOKS, withStatus } from '../support/webhooks';

const KEY = { name: 'CRM', scopes: ['calls:read'] };
const USERS = '/api/admin/users';

describe('The audit log', () => {
  let test: AttachmentsApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createAttachmentsApp(WEBHOOKS);
    admin = await testUser(test.api, { id: 900_001, role: 'admin', name: 'Boss' });
  });
  beforeEach(async () => {
    await test.query('DELETE FROM audit_log');
    await test.query('DELETE FROM api_keys');
  });
  afterAll(() => test?.close());

  const actionsOf = async (): Promise<string[]> => (await auditRows(test)).map(({ action }) => action);

  it('records creations, changes and deletions with actor, origin and action', async () => {
    const made = await admin.post('/api/admin/keys', KEY);
    const { id, prefix } = made.body.data as { id: number; prefix: string };
    await admin.with({ 'x-request-id': 'my-own-id' }).put(`/api/admin/keys/${id}`, { name: 'ERP' });
    await admin.delete(`/api/admin/keys/${id}`);
    const who = { actor_type: 'user', actor_id: 900_001, actor_name: 'Boss', ip: '127.0.0.1' };
    const what = { object_type: 'key', object_id: String(id), request_id: made.headers['x-request-id'] };
    const fields = {
      prefix: prefix.slice(4),
      scopes: ['calls:read'],
      rate_per_minute: 3_000,
      expires_at: null,
    };
    expect(await auditRows(test)).toEqual([
      { ...who, ...what, action: 'key.create', before: null, after: { name: 'CRM', ...fields } },
      {
        ...who,
        ...what,
        request_id: 'my-own-id',
        action: 'key.update',
        before: { name: 'CRM' },
        after: { name: 'ERP' },
      },
      {
        ...who,
        ...what,
        request_id: expect.stringMatching(/^[\w-]{36}$/),
        action: 'key.delete',
        before: { name: 'ERP', ...fields },
        after: null,
      },
    ]);
  });

  it('records log-ins of administrators only', async () => {
    const boss = await createUser(admin, 'ada', { role: 'admin', name: 'Ada' });
    await createUser(admin, 'ben');
    const before = (await auditRows(test)).length;
    await login(test.api, 'ada', 'a wrong one');
    await login(test.api, 'ben');
    await login(test.api.with({ 'user-agent': 'Browser 7', 'x-request-id': 'evening' }), 'ada');
    expect((await auditRows(test)).slice(before)).toEqual([
      {
        actor_type: 'user',
        actor_id: boss,
        actor_name: 'Ada',
        ip: '127.0.0.1',
        request_id: 'evening',
        action: 'log_in.success',
        object_type: 'log_in',
        object_id: String(boss),
        before: null,
        after: { user_agent: 'Browser 7' },
      },
    ]);
  });

  it('records an API key that acts for itself', async () => {
    const { id, key } = await makeKey(test.api, ['users:write'], { name: 'HR' });
    const user = dataOf(await test.api.withToken(key).post(USERS, { account: 'cid', name: 'Cid' }));
    expect(await auditRows(test, 'user.create')).toEqual([
      expect.objectContaining({
        actor_type: 'key',
        actor_id: id,
        actor_name: 'HR',
        object_id: String(user.id),
      }),
    ]);
  });

  it('records the user on whose behalf a key acts, without message content', async () => {
    const { id, key } = await makeKey(test.api, ['messages:send-as'], { name: 'Parcels' });
    const [ann = 0, bob = 0] = newUserIds(2);
    await createUsers(test.api, ann, bob);
    const as = test.api.withToken(key).with({ 'x-on-behalf-of': String(ann) });
    const open = () => as.post('/api/messages/conversations', { type: 'single', peer_id: bob });
    const chat = dataOf(await open()).id as number;
    await open();
    const body = { type: 'text', content: 'a planted secret', client_msg_id: 'once' };
    const path = `/api/messages/conversations/${chat}/messages`;
    const message = dataOf(await as.post(path, body)).id as number;
    await as.post(path, body);
    await as.post(path, { ...body, content: 'another' });
    await as.post(`/api/messages/${message}/recall`);
    await as.post(`/api/messages/${message}/recall`);
    const rows = (await auditRows(test)).filter(({ actor_type }) => actor_type === 'key');
    const [created, sent, recalled] = rows;
    expect(
      rows.map(({ action, object_id, actor_id, actor_name }) => [action, object_id, actor_id, actor_name]),
    ).toEqual([
      ['conversation.create', String(chat), id, 'Parcels'],
      ['message.send', String(message), id, 'Parcels'],
      ['message.recall', String(message), id, 'Parcels'],
    ]);
    expect(created?.after).toEqual({ type: 'single', name: '', member_ids: [ann, bob], on_behalf_of: ann });
    expect(sent?.after).toEqual({ conversation_id: chat, message_type: 'text', on_behalf_of: ann });
    expect([recalled?.before, recalled?.after]).toEqual([
      { is_recalled: false },
      { is_recalled: true, on_behalf_of: ann },
    ]);
    expect(JSON.stringify(rows)).not.toContain('planted');
  });

  it('records an upload on behalf of a user, without the name of the file', async () => {
    const key = await clientWithKey(test.api, ['messages:send-as'], { name: 'Parcels' });
    const [ann = 0] = newUserIds(1);
    const [annHerself = admin] = await createUsers(test.api, ann);
    const as = key.with({ 'x-on-behalf-of': String(ann) });
    await upload(annHerself, 'file', 'by the user');
    await upload(as, 'audio', 'no recording');
    const { id } = dataOf(await upload(as, 'file', 'a receipt', { fileName: 'planted.txt' }));
    const after = { type: 'file', mime_type: null, size: 9, on_behalf_of: ann };
    expect((await auditRows(test)).filter(({ action }) => action === 'attachment.create')).toEqual([
      expect.objectContaining({ actor_name: 'Parcels', object_id: String(id), before: null, after }),
    ]);
  });

  it('separates requests whose messages share a transaction, and omits messages of users', async () => {
    const [ann = 0, bob = 0] = newUserIds(2);
    const [annHerself = admin] = await createUsers(test.api, ann, bob);
    const keys = [
      await clientWithKey(test.api, ['messages:send-as'], { name: 'One' }),
      await clientWithKey(test.api, ['messages:send-as'], { name: 'Two' }),
    ].map((key) => key.with({ 'x-on-behalf-of': String(ann) }));
    const chat = dataOf(
      await annHerself.post('/api/messages/conversations', { type: 'single', peer_id: bob }),
    ).id;
    const senders = Array.from({ length: 30 }, (_, index) => [annHerself, ...keys][index % 3] as ApiClient);
    const responses = await Promise.all(
      senders.map((sender, index) =>
        sender
          .with({ 'x-request-id': `r${index}` })
          .post(`/api/messages/conversations/${chat}/messages`, { type: 'text', content: `m${index}` }),
      ),
    );
    const wanted = responses.flatMap(({ body }, index) =>
      index % 3 === 0 ? [] : [`${index % 3 === 1 ? 'One' : 'Two'} r${index} ${body.data.id}`],
    );
    const rows = await auditRows(test, 'message.send');
    expect(
      rows
        .map(({ actor_name, request_id, object_id }) => `${actor_name} ${request_id} ${object_id}`)
        .toSorted(),
    ).toEqual(wanted.toSorted());
  });

  it('records actions of the service itself, also when a request has triggered them', async () => {
    const receiver = await Receiver.open();
    receiver.respond = withStatus(410);
    const { id } = await subscribe(admin, { url: receiver.url });
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    await receiver.close();
    const own = (await auditRows(test)).find(({ actor_type }) => actor_type === 'system');
    expect(own).toEqual({
      actor_type: 'system',
      actor_id: null,
      actor_name: null,
      ip: null,
      request_id: null,
      action: 'webhook.update',
      object_type: 'webhook',
      object_id: String(id),
      before: { status: 1, disabled_reason: null },
      after: { status: 0, disabled_reason: 'gone' },
    });
    expect(await actionsOf()).toEqual(['webhook.create', 'webhook.update']);
  });

  it('has one row for repeated requests of one key', async () => {
    const client = admin.with({ 'idempotency-key': 'once' });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/api/admin/keys', KEY)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await actionsOf()).toEqual(['key.create']);
  });

  it('has one row per change when instances race', async () => {
    const other = await createTestApp({ database: test.database, clock: test.clock, env: WEBHOOKS });
    try {
      const token = await signToken(claimsOf({ id: 900_001, role: 'admin', name: 'Boss' }));
      const clientAt = (index: number) => (index % 2 === 0 ? admin : other.api.withToken(token));
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          clientAt(index).post(USERS, { account: 'dee', password: PASSWORD, name: `Dee ${index}` }),
        ),
      );
      expect(responses.filter(({ body }) => body.code === 0)).toHaveLength(1);
      expect(responses.filter(({ body }) => body.code === 409)).toHaveLength(11);
      const id = responses.find(({ status }) => status === 200)?.body.data.id as number;
      const statuses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          clientAt(index).put(`${USERS}/${id}`, { status: index < 6 ? 0 : 1, name: 'Dee' }),
        ),
      );
      expect(statuses.map(({ status }) => status)).toEqual(Array<number>(12).fill(200));
      const rows = await auditRows(test, 'user.update');
      // Each row starts with the value with which the previous one ends.
      let now = 1;
      for (const { before, after } of rows.filter(({ after: changed }) => changed?.status !== undefined)) {
        expect(before?.status).toBe(now);
        now = after?.status as number;
      }
      expect((await admin.get(`${USERS}/${id}`)).body.data.status).toBe(now);
      expect(await auditRows(test, 'user.create')).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('is written in the transaction of its change: if one fails, neither is stored', async () => {
    await test.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    expect((await admin.post('/api/admin/keys', KEY)).status).toBe(500);
    await test.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    expect((await admin.get('/api/admin/keys')).body.data.items).toEqual([]);
    expect((await admin.post('/api/admin/keys', KEY)).status).toBe(200);
    expect(await actionsOf()).toEqual(['key.create']);
  });
});
