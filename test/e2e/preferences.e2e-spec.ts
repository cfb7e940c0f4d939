import { PreferencesService } from '../../src/preferences/services/preferences.service';
import type { ApiClient } from '../support/api-client';
import { createUser, getUnreadCount, listTitles, sendNotification } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const DEFAULTS = {
  dnd_until: null,
  quiet_hours: null,
  calls_when_quiet: true,
  preview: 'full',
  types: {},
  version: 0,
};
const HOURS = {
  enabled: true,
  from: '22:00',
  to: '07:00',
  days: [1, 2, 3, 4, 5],
  time_zone: 'Asia/Shanghai',
};

describe('Preferences', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  let id: number;
  let api: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    ({ id, api } = await createUser(test.api));
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const get = async (client = api) => (await client.get('/api/preferences')).body.data;
  const put = async (body: object, client = api) => (await client.put('/api/preferences', body)).body;
  const eventsOf = async (type: string) =>
    (await api.get('/api/events/poll?limit=500')).body.data.items.filter(
      (event: { type: string }) => event.type === type,
    );

  it('are the defaults before the first change', async () => {
    expect(await get()).toEqual(DEFAULTS);
  });

  it('keep the fields that are not sent, and count the changes', async () => {
    const dnd_until = '2026-02-01T08:00:00.000Z';
    expect((await put({ dnd_until, quiet_hours: HOURS })).data).toEqual({
      ...DEFAULTS,
      dnd_until,
      quiet_hours: HOURS,
      version: 1,
    });
    await put({ preview: 'names', calls_when_quiet: false });
    await put({ dnd_until: null });
    expect(await get()).toEqual({
      ...DEFAULTS,
      quiet_hours: HOURS,
      preview: 'names',
      calls_when_quiet: false,
      version: 3,
    });
    expect((await put({ quiet_hours: null })).data.quiet_hours).toBeNull();
  });

  it('publish each change once, and none without a change', async () => {
    await put({ types: { system: { push: false } } });
    await put({ types: { system: { push: false } }, preview: 'full' });
    const events = await eventsOf('preferences.updated');
    expect(events).toMatchObject([
      { preferences: { types: { system: { in_app: true, push: false } }, version: 1 } },
    ]);
  });

  it('change single choices of a type, and remove a type with null', async () => {
    await put({ types: { a: { push: false }, b: { in_app: false }, message: { push: false } } });
    await put({ types: { a: { in_app: false }, b: null } });
    expect((await get()).types).toEqual({
      a: { in_app: false, push: false },
      message: { in_app: true, push: false },
    });
  });

  it('store at most 100 types', async () => {
    const types = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${from + index}`, { push: false }]));
    expect((await put({ types: types(0, 100) })).code).toBe(0);
    expect(await put({ types: types(100, 1) })).toMatchObject({
      code: 422,
      message: 'types 数量不能超过 100',
    });
    expect((await put({ types: { ...types(100, 1), t0: null } })).code).toBe(0);
    expect(Object.keys((await get()).types)).toHaveLength(100);
  });

  it.each([
    [{ quiet_hours: { ...HOURS, time_zone: 'Mars/Phobos' } }, 'quiet_hours.time_zone 取值无效'],
    [{ quiet_hours: { ...HOURS, to: '24:00' } }, 'quiet_hours.to 取值无效'],
    [{ quiet_hours: { ...HOURS, days: [8] } }, 'quiet_hours.days 取值无效'],
    [{ quiet_hours: { ...HOURS, days: [] } }, 'quiet_hours.days 取值无效'],
    [{ quiet_hours: { ...HOURS, from: undefined } }, 'quiet_hours.from 字段不能为空'],
    [{ quiet_hours: 'night' }, 'quiet_hours 必须是对象'],
    [{ dnd_until: 'tomorrow' }, 'dnd_until 取值无效'],
    [{ preview: 'none' }, 'preview 取值无效'],
    [{ calls_when_quiet: 1 }, 'calls_when_quiet 取值无效'],
    [{ types: { a: { push: 1 } } }, 'types.a 取值无效'],
    [{ types: { ['x'.repeat(51)]: null } }, 'types 取值无效'],
    [{ types: { message: { in_app: false } } }, 'types.message.in_app 取值无效'],
  ])('reject %j', async (body, message) => {
    expect(await put(body)).toMatchObject({ code: 422, message });
    expect(await get()).toEqual(DEFAULTS);
  });

  it('lose no field of changes at the same time on two instances', async () => {
    const elsewhere = await other.api.as({ id });
    const types = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const changes = types.map((type, index) =>
      put({ types: { [type]: { push: false } } }, index % 2 === 0 ? api : elsewhere),
    );
    const all = await Promise.all([
      ...changes,
      put({ preview: 'ids' }),
      put({ calls_when_quiet: false }, elsewhere),
      put({ quiet_hours: HOURS }),
    ]);
    expect(all.map(({ code }) => code)).toEqual(all.map(() => 0));
    expect(await get(elsewhere)).toMatchObject({
      preview: 'ids',
      calls_when_quiet: false,
      quiet_hours: HOURS,
      types: Object.fromEntries(types.map((type) => [type, { in_app: true, push: false }])),
      version: 15,
    });
  });

  it('apply on another instance to the next push after the change', async () => {
    const decide = async () => {
      const decisions = await other.app
        .get(PreferencesService)
        .decidePushes([id, 999_999], { kind: 'notification', type: 'system' }, test.clock.now());
      return [id, 999_999].map((userId) => decisions.get(userId));
    };
    const unchanged = { delivery: 'normal', preview: 'full' };
    expect(await decide()).toEqual([unchanged, unchanged]);
    await put({ types: { system: { push: false } }, preview: 'ids' });
    expect(await decide()).toEqual([{ delivery: 'none', preview: 'ids' }, unchanged]);
    await put({ types: { system: null }, dnd_until: '2026-01-31T09:00:00Z' });
    expect(await decide()).toEqual([{ delivery: 'silent', preview: 'ids' }, unchanged]);
  });

  describe('with a type that is kept out of the inbox', () => {
    beforeEach(async () => {
      await put({ types: { system: { in_app: false } } });
    });

    it('let no notification of the type in, and use up its dedupe key', async () => {
      const { id: second, api: api2 } = await createUser(test.api);
      const to = { user_ids: [id, second], dedupe_key: 'key' };
      expect(await sendNotification(admin, to)).toBe(1);
      expect(await sendNotification(admin, { user_ids: [id], type: 'another', title: 'Another' })).toBe(1);
      expect(await listTitles(api)).toEqual(['Another']);
      expect(await getUnreadCount(api)).toEqual({ count: 1, by_type: { another: 1 } });
      expect(await listTitles(api2)).toEqual(['Title']);
      expect(await eventsOf('notification.created')).toMatchObject([{ notification: { title: 'Another' } }]);
      await put({ types: { system: { in_app: true } } });
      expect(await sendNotification(admin, to)).toBe(0);
    });

    it('let no broadcast of the type in, but critical ones', async () => {
      await sendNotification(admin, { broadcast: true, title: 'Ordinary' });
      await sendNotification(admin, { broadcast: true, title: 'Critical', critical: true });
      expect(await listTitles(api)).toEqual(['Critical']);
      expect(await sendNotification(admin, { user_ids: [id], title: 'Alone', critical: true })).toBe(1);
      expect(await listTitles(api)).toEqual(['Alone', 'Critical']);
    });
  });
});
