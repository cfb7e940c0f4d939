import { newUserIds } from '../support/calls';
import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTerminal, sendHeartbeat, deviceOf, onlineCount } from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const DEVICES = '/api/admin/devices';

describe('The user of a device', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const aUser = async (): Promise<number> => {
    const [id = 0] = newUserIds(1);
    await testUser(test.api, { id });
    return id;
  };
  const taken = { code: 409, message: '用户已绑定其他设备', data: null };
  const unknown = { code: 422, message: `用户不存在: ${UNKNOWN_ID}`, data: null };

  it('is set on creation, replaced by a change, and removed by null', async () => {
    const [one, two] = [await aUser(), await aUser()];
    const id = await fixture.device('A', { user_id: one });
    const put = async (body: object) => (await fixture.admin.put(`${DEVICES}/${id}`, body)).body.data.user_id;
    expect((await deviceOf(fixture, { id })).user_id).toBe(one);
    expect(await put({ name: 'B' })).toBe(one);
    expect(await put({ user_id: one })).toBe(one);
    expect(await put({ user_id: two })).toBe(two);
    expect(await put({ user_id: null })).toBeNull();
    expect((await fixture.admin.get(DEVICES)).body.data.items[0].user_id).toBeNull();
  });

  it('exists and has at most one device', async () => {
    const [one, two] = [await aUser(), await aUser()];
    const first = await fixture.device('A', { user_id: one, serial_no: 'SN-1' });
    const id = await fixture.device('B', { user_id: two });
    const created = await fixture.admin.post(DEVICES, { name: 'C', user_id: one });
    expect([created.status, created.body]).toEqual([409, taken]);
    const changed = await fixture.admin.put(`${DEVICES}/${id}`, { name: 'X', user_id: one });
    expect([changed.status, changed.body]).toEqual([409, taken]);
    const strange = await fixture.admin.post(DEVICES, { name: 'C', user_id: UNKNOWN_ID });
    expect([strange.status, strange.body]).toEqual([422, unknown]);
    expect((await fixture.admin.put(`${DEVICES}/${id}`, { user_id: UNKNOWN_ID })).body).toEqual(unknown);
    expect((await fixture.admin.put(`${DEVICES}/${UNKNOWN_ID}`, { user_id: one })).body.code).toBe(404);
    const both = await fixture.admin.post(DEVICES, { name: 'C', serial_no: 'SN-1', user_id: one });
    expect(both.body.message).toBe('序列号已存在');
    expect((await deviceOf(fixture, { id })).name).toBe('B');
    await fixture.admin.delete(`${DEVICES}/${first}`);
    expect(await fixture.device('C', { user_id: one })).toEqual(expect.any(Number));
  });

  it.each([
    [0, 'user_id 不能小于 1'],
    ['7', 'user_id 必须是整数'],
  ])('is rejected as %j', async (user_id, message) => {
    const response = await fixture.admin.post(DEVICES, { name: 'A', user_id });
    expect(response.body).toEqual({ code: 422, message, data: null });
  });

  it('is assigned to one of twenty devices that request it concurrently', async () => {
    const other = await createTestApp({ database: test.database });
    try {
      const { admin } = await DeviceFixture.create(other);
      const user_id = await aUser();
      const wanted = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? fixture.admin : admin).post(DEVICES, { name: `D${index}`, user_id }),
      );
      const codes = (await Promise.all(wanted)).map(({ body }) => body.code);
      expect(codes.filter((code) => code === 0)).toEqual([0]);
      expect(new Set(codes)).toEqual(new Set([0, 409]));
    } finally {
      await other.close();
    }
  });

  it('applies to presence: a device with another user is offline', async () => {
    const door = await createTerminal(fixture);
    const next = await aUser();
    expect(await sendHeartbeat(door)).toBe(0);
    expect(await deviceOf(fixture, door)).toMatchObject({ online: true, user_id: door.userId });
    await fixture.admin.put(`${DEVICES}/${door.id}`, { name: 'Gate' });
    expect((await deviceOf(fixture, door)).online).toBe(true);
    const changed = (await fixture.admin.put(`${DEVICES}/${door.id}`, { user_id: next })).body.data;
    expect(changed).toMatchObject({ online: false, last_seen_at: '2026-01-31T08:00:00.000Z' });
    expect(await onlineCount(test)).toBe(0);
    expect(await sendHeartbeat(door)).toBe(404);
    expect(await sendHeartbeat({ api: await test.api.as({ id: next }) })).toBe(0);
    expect(await onlineCount(test)).toBe(1);
  });

  it('is reported by a dry run of an import as the import sets it, over several transactions', async () => {
    const [free, bound] = [await aUser(), await aUser()];
    await fixture.device('Old', { serial_no: 'SN-1', user_id: bound });
    const fillers = Array.from({ length: 200 }, (_, index) => `SN-F${index},Filler,`);
    const lines = ['serial_no,name,user_id', `SN-1,Old,${free}`, ...fillers];
    const file = [...lines, `SN-2,New,${free}`, `SN-3,New,${bound}`].join('\n');
    const csv = fixture.admin.with({ 'content-type': 'text/csv' });
    const imported = async (query = ''): Promise<string[]> =>
      (await csv.post(`${DEVICES}/import${query}`, file)).body.data.lines.map(
        ({ result, message }: { result: string; message: string | null }) => message ?? result,
      );
    const expected = ['updated', ...fillers.map(() => 'created'), '用户已绑定其他设备', 'created'];
    expect(await imported('?dry_run=1')).toEqual(expected);
    expect(await imported()).toEqual(expected);
  });

  it('keeps the device while disabled, but cannot send heartbeats', async () => {
    const door = await createTerminal(fixture);
    await sendHeartbeat(door);
    await fixture.admin.put(`/api/admin/users/${door.userId}`, { status: 0 });
    expect(await sendHeartbeat(door)).toBe(401);
    expect((await deviceOf(fixture, door)).user_id).toBe(door.userId);
    await fixture.admin.put(`/api/admin/users/${door.userId}`, { status: 1 });
    expect(await sendHeartbeat(door)).toBe(0);
  });
});
