import { DataSource } from 'typeorm';
import { createUser, signIn } from '../support/accounts';
import { DomainEventReader } from '../support/domain-events';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { ChatUser } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

/** Domain events since the last call, in short form and as complete payloads. */
interface RecordedEvents {
  short: string[];
  payloads: Record<string, unknown>[];
}

describe('Domain events', () => {
  let test: TestApp;
  let reader: DomainEventReader;
  let admin: ApiClient;
  let seen = 0;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'members,calls' } });
    reader = await DomainEventReader.open(test);
    admin = await test.api.as({ id: 1, role: 'admin' });
    await admin.get('/api/auth/me');
  });
  beforeEach(() => takeRecorded());
  afterAll(() => test?.close());

  async function takeRecorded(): Promise<RecordedEvents> {
    const all = await reader.all();
    const fresh = all.slice(seen);
    seen = all.length;
    return {
      short: fresh.map(({ type, subject }) => `${type} ${subject}`),
      payloads: fresh.map(({ payload }) => payload),
    };
  }

  const people = async (count: number): Promise<ChatUser[]> => {
    const chatUsers = await ChatUser.signInAll(test.api, newUserIds(count));
    await takeRecorded();
    return chatUsers;
  };

  describe('of messages', () => {
    it('are recorded once, for any number of members', async () => {
      const [ann, ben, cat] = (await people(3)) as [ChatUser, ChatUser, ChatUser];
      const group = await ann.createGroup([ben.id, cat.id]);
      const extra = { width: 3 };
      const { id } = await ben.send(group, 'https://a.example/1.png', { type: 'image', extra });
      await ben.send(group, 'once', { client_msg_id: 'x' });
      await ben.send(group, 'once', { client_msg_id: 'x' });
      expect(await takeRecorded()).toEqual({
        short: [
          `conversation.created conversation:${group}`,
          `message.created message:${id}`,
          `message.created message:${id + 1}`,
        ],
        payloads: [
          {
            conversation_id: group,
            conversation_type: 'group',
            owner_id: ann.id,
            member_ids: [ann.id, ben.id, cat.id],
          },
          {
            message_id: id,
            conversation_id: group,
            sender_id: ben.id,
            message_type: 'image',
            content: 'https://a.example/1.png',
            extra,
          },
          {
            message_id: id + 1,
            conversation_id: group,
            sender_id: ben.id,
            message_type: 'text',
            content: 'once',
            extra: null,
          },
        ],
      });
    });

    it('contain no content of recalled ones, and are recorded once', async () => {
      const [ann, ben] = (await people(2)) as [ChatUser, ChatUser];
      const chat = await ann.openSingle(ben.id);
      const { id } = await ann.send(chat, 'a secret');
      await takeRecorded();
      for (let time = 0; time < 2; time += 1) await ann.recall(id);
      const recalled = await takeRecorded();
      expect(recalled.short).toEqual([`message.recalled message:${id}`]);
      expect(recalled.payloads).toEqual([
        {
          message_id: id,
          conversation_id: chat,
          sender_id: ann.id,
          message_type: 'text',
          content: '',
          extra: null,
        },
      ]);
    });

    it('are recorded for each message of batched sends', async () => {
      const chatUsers = await people(6);
      const [ann] = chatUsers as [ChatUser];
      const group = await ann.createGroup(chatUsers.slice(1).map(({ id }) => id));
      await takeRecorded();
      const sent = await Promise.all(
        Array.from({ length: 60 }, (_, index) => (chatUsers[index % 6] as ChatUser).send(group, `${index}`)),
      );
      const expected = sent.map(({ id }) => `message.created message:${id}`);
      expect((await takeRecorded()).short.toSorted()).toEqual(expected.toSorted());
    });

    it('in a large group are recorded once, and the creation names 500 members', async () => {
      const [ann] = (await people(1)) as [ChatUser];
      const ids = Array.from({ length: 500 }, (_, index) => 50_000 + index);
      await insertUsers(test.app.get(DataSource), ids);
      const group = await ann.createGroup(ids);
      const { id } = await ann.send(group);
      const { short, payloads } = await takeRecorded();
      expect(short).toEqual([`conversation.created conversation:${group}`, `message.created message:${id}`]);
      expect(payloads[0]).toMatchObject({ owner_id: ann.id, member_ids: [ann.id, ...ids.slice(0, 499)] });
    });

    it('of a single chat include one creation without an owner, and no notices', async () => {
      const [ann, ben] = (await people(2)) as [ChatUser, ChatUser];
      const [chat] = await Promise.all([ann.openSingle(ben.id), ben.openSingle(ann.id)]);
      const call = await ann.api.post('/api/calls', { callee_id: ben.id });
      await ann.api.post(`/api/calls/${call.body.data.call_id}/cancel`);
      expect((await ben.peek(chat)).map(({ kind }) => kind)).toEqual(['notice']);
      const { short, payloads } = await takeRecorded();
      expect(short.filter((act) => !act.startsWith('call.'))).toEqual([
        `conversation.created conversation:${chat}`,
      ]);
      const { member_ids, ...rest } = payloads[0] as { member_ids: number[] };
      expect(rest).toEqual({ conversation_id: chat, conversation_type: 'single', owner_id: null });
      expect(member_ids.toSorted((a, b) => a - b)).toEqual([ann.id, ben.id]);
    });

    it('are not recorded for rejected ones', async () => {
      const [ann, ben] = (await people(2)) as [ChatUser, ChatUser];
      const group = await ann.createGroup();
      await takeRecorded();
      await ben.trySend(group, { type: 'text', content: 'let me in' });
      await ann.trySend(group, { type: 'text', content: 'x', reply_to_id: 987_654 });
      await ann.api.post('/api/messages/conversations', { type: 'group', member_ids: [987_654] });
      expect((await takeRecorded()).short).toEqual([]);
    });
  });

  describe('of notifications', () => {
    const send = (body: object) =>
      admin.post('/api/admin/notifications', { type: 'system', title: 'T', content: 'C', ...body });

    it('are recorded once for all recipients', async () => {
      const [ann, ben] = (await people(2)) as [ChatUser, ChatUser];
      await send({ user_ids: [ann.id, ben.id], dedupe_key: 'n' });
      await send({ user_ids: [ann.id, ben.id], dedupe_key: 'n' });
      await send({ user_ids: [UNKNOWN_ID] });
      expect(await takeRecorded()).toEqual({
        short: ['notification.sent announcement:1'],
        payloads: [
          {
            announcement_id: 1,
            audience: 'users',
            notification_type: 'system',
            created: 2,
            title: 'T',
            content: 'C',
          },
        ],
      });
    });

    it('are recorded once for one recipient', async () => {
      const [ann] = (await people(1)) as [ChatUser];
      await send({ user_ids: [ann.id] });
      expect(await takeRecorded()).toMatchObject({
        short: ['notification.sent notification'],
        payloads: [{ announcement_id: null, audience: 'users', created: 1 }],
      });
    });

    it.each([
      ['everybody', { broadcast: true }, 'all'],
      ['everybody of a role', { role: 'user' }, 'role:user'],
    ])('are recorded once for %s', async (_, to, audience) => {
      const { created, announcement_id } = (await send(to)).body.data as Record<string, number>;
      expect(await takeRecorded()).toEqual({
        short: [`notification.sent announcement:${announcement_id}`],
        payloads: [
          {
            announcement_id,
            audience,
            notification_type: 'system',
            created,
            title: 'T',
            content: 'C',
          },
        ],
      });
    });
  });

  describe('of users', () => {
    const user = (id: number, more: object = {}) => ({
      id,
      account: null,
      external_id: null,
      name: `User ${id}`,
      avatar: null,
      role: 'user',
      status: 1,
      created_at: START,
      ...more,
    });

    it('are recorded once for a new user, with concurrent first requests', async () => {
      const [id = 0] = newUserIds(1);
      const client = await test.api.as({ id });
      await Promise.all([1, 2, 3].map(() => client.get('/api/auth/me')));
      expect(await takeRecorded()).toEqual({
        short: [`user.created user:${id}`],
        payloads: [{ user: user(id), changed: [] }],
      });
    });

    it('are recorded once for each change', async () => {
      const id = await createUser(admin, 'carol');
      const path = `/api/admin/users/${id}`;
      await admin.put(path, { name: 'Carol', status: 1 });
      await admin.put(path, { name: 'Carol' });
      await admin.post('/api/admin/users', { account: 'CAROL', password: 'correct horse', name: 'Other' });
      const { access_token } = await signIn(test.api, 'carol');
      const own = test.api.withToken(access_token);
      await own.put('/api/auth/me', { discoverable: false });
      await own.put('/api/auth/me', { avatar: 'https://a.example/c.png' });
      const made = user(id, { account: 'carol', name: 'carol' });
      const avatar = 'https://a.example/c.png';
      expect(await takeRecorded()).toEqual({
        short: [`user.created user:${id}`, `user.updated user:${id}`, `user.updated user:${id}`],
        payloads: [
          { user: made, changed: [] },
          { user: { ...made, name: 'Carol' }, changed: ['name'] },
          { user: { ...made, name: 'Carol', avatar }, changed: ['avatar'] },
        ],
      });
    });

    it('are recorded for each of several changed users', async () => {
      const [one = 0, two = 0, three = 0] = (await people(3)).map(({ id }) => id);
      await admin.put('/api/admin/users/bulk', { user_ids: [one], status: 0 });
      await takeRecorded();
      await admin.put('/api/admin/users/bulk', { user_ids: [one, two, three], status: 0 });
      await admin.put('/api/admin/users/bulk', { user_ids: [one, UNKNOWN_ID], status: 1 });
      expect(await takeRecorded()).toEqual({
        short: [`user.updated user:${two}`, `user.updated user:${three}`],
        payloads: [two, three].map((id) => ({ user: user(id, { status: 0 }), changed: ['status'] })),
      });
    });
  });

  it('of devices are recorded for each creation, change and deletion', async () => {
    const fixture = await DeviceFixture.create(test);
    const id = await fixture.device('Door', { serial_no: 'SN-7' });
    const group = await fixture.group('G', { device_ids: [id] });
    const path = '/api/admin/devices';
    await admin.put(`${path}/${id}`, { name: 'Front door' });
    await admin.put(`${path}/${id}`, { name: 'Front door' });
    await admin.post(path, { name: 'Same', serial_no: 'SN-7' });
    const other = await fixture.device('Back');
    await admin.put(`${path}/bulk`, { device_ids: [id, other], status: 0 });
    await admin.put(`${path}/bulk`, { device_ids: [id, UNKNOWN_ID], status: 1 });
    await admin.delete(path, { device_ids: [other] });
    for (let time = 0; time < 2; time += 1) await admin.delete(`${path}/${id}`);
    const { short, payloads } = await takeRecorded();
    expect(short).toEqual([
      `device.created device:${id}`,
      `device.updated device:${id}`,
      `device.created device:${other}`,
      `device.updated device:${id}`,
      `device.updated device:${other}`,
      `device.deleted device:${other}`,
      `device.deleted device:${id}`,
    ]);
    const never = { user_id: null, online: false, last_seen_at: null, version: null, battery: null };
    const made = { id, name: 'Door', serial_no: 'SN-7', status: 1, created_at: START, ...never, groups: [] };
    const groups = [{ id: group, name: 'G', path: [] }];
    expect(payloads[0]).toEqual({ device: made });
    expect(payloads[1]).toEqual({ device: { ...made, name: 'Front door', groups } });
    expect(payloads.at(-1)).toEqual({ device: { ...made, name: 'Front door', status: 0, groups } });
  });
});
