import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = '/api/admin/devices';
const GROUPS = '/api/admin/device-groups';

describe('Devices', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const list = async (query = '') => (await fixture.admin.get(`${DEVICES}${query}`)).body.data;
  const namesIn = async (query: string): Promise<string[]> =>
    (await list(query)).items.map(({ name }: { name: string }) => name);
  const search = (keyword: string) => namesIn(`?keyword=${encodeURIComponent(keyword)}`);

  describe('being created', () => {
    it('return the device', async () => {
      const response = await fixture.admin.post(DEVICES, { name: '门口机', serial_no: 'SN-1', status: 0 });
      const device = {
        id: expect.any(Number),
        name: '门口机',
        serial_no: 'SN-1',
        status: 0,
        created_at: '2026-01-31T08:00:00.000Z',
        user_id: null,
        online: false,
        last_seen_at: null,
        version: null,
        battery: null,
        groups: [],
      };
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ code: 0, message: '操作成功', data: device });
      expect((await fixture.admin.get(`${DEVICES}/${response.body.data.id}`)).body.data).toEqual(device);
    });

    it('require only a name, and several may have no serial number', async () => {
      await fixture.device('A');
      await fixture.device('B', { serial_no: '' });
      await fixture.device('C', { serial_no: null, status: null });
      expect((await list()).items).toEqual(
        ['A', 'B', 'C'].map((name) => expect.objectContaining({ name, serial_no: null, status: 1 })),
      );
    });

    it.each([
      [{}, 'name 字段不能为空'],
      [{ name: ' ', serial_no: 5 }, 'name 字段不能为空'],
      [{ name: 'x'.repeat(101) }, 'name 长度不能超过 100 个字符'],
      [{ name: 'A', serial_no: 5 }, 'serial_no 必须是字符串'],
      [{ name: 'A', serial_no: 'x'.repeat(65) }, 'serial_no 长度不能超过 64 个字符'],
      [{ name: 'A', status: 2 }, 'status 取值无效'],
      [{ name: 'A', status: true }, 'status 必须是整数'],
    ])('reject %j with "%s"', async (body, message) => {
      const response = await fixture.admin.post(DEVICES, body);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect((await list()).items).toEqual([]);
    });

    it('reject a serial number in use, compared byte for byte', async () => {
      await fixture.device('A', { serial_no: 'sn-é' });
      const response = await fixture.admin.post(DEVICES, { name: 'B', serial_no: 'sn-é' });
      expect(response.status).toBe(409);
      expect(response.body).toEqual({ code: 409, message: '序列号已存在', data: null });
      for (const serial_no of ['SN-é', 'sn-e', 'sn-é ']) await fixture.device('C', { serial_no });
      expect((await list()).pagination.total).toBe(4);
    });
  });

  describe('in a list', () => {
    it('come twenty to a page, by id, in the shape of new lists', async () => {
      const ids = await fixture.devices(21);
      const data = await list();
      expect(data.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 20));
      expect(data.pagination).toEqual({
        total: 21,
        per_page: 20,
        current_page: 1,
        last_page: 2,
        has_more: true,
      });
      expect(await namesIn('?page=2')).toEqual(['Device 21']);
      expect((await fixture.admin.get(DEVICES)).headers['x-total-count']).toBe('21');
    });

    it('are found by a part of the name or the serial number, case-insensitively', async () => {
      await fixture.device('Küche', { serial_no: 'AB-1' });
      await fixture.device('Flur', { serial_no: 'ab-2' });
      await fixture.device('Ab-lage');
      await fixture.device('100%', { serial_no: 'x_y' });
      expect(await search('KÜ')).toEqual(['Küche']);
      expect(await search('ku')).toEqual([]);
      expect(await search('aB-')).toEqual(['Küche', 'Flur', 'Ab-lage']);
      expect(await search('%')).toEqual(['100%']);
      expect(await search('_')).toEqual(['100%']);
    });

    it('are filtered by status, by group, and by having no group', async () => {
      const [one, two, three, four] = await fixture.devices(4);
      const top = await fixture.group('A', { device_ids: [one, two] });
      await fixture.group('B', { parent_id: top, device_ids: [two, three] });
      await fixture.admin.put(`${DEVICES}/${one}`, { status: 0 });
      expect(await namesIn('?status=0')).toEqual(['Device 1']);
      expect(await namesIn('?status=1')).toEqual(['Device 2', 'Device 3', 'Device 4']);
      expect(await namesIn(`?group_id=${top}`)).toEqual(['Device 1', 'Device 2']);
      expect(await namesIn(`?group_id=${top}&status=1&keyword=dev`)).toEqual(['Device 2']);
      expect(await namesIn(`?group_id=${UNKNOWN_ID}`)).toEqual([]);
      expect(await namesIn('?ungrouped=1')).toEqual(['Device 4']);
      expect(await namesIn('?ungrouped=0')).toHaveLength(4);
      expect(await namesIn(`?ungrouped=1&group_id=${top}`)).toEqual([]);
      expect(four).toEqual(expect.any(Number));
    });

    it('are sorted as requested, ascending or descending, then by id', async () => {
      const clockwise = ['2026-01-31T08:00:02.000Z', '2026-01-31T08:00:00.000Z', '2026-01-31T08:00:01.000Z'];
      for (const [index, moment] of clockwise.entries()) {
        test.clock.set(moment);
        await fixture.device(`D${index}`, { serial_no: ['b', 'c', 'a'][index], status: index % 2 });
      }
      expect(await namesIn('?sort=id')).toEqual(['D0', 'D1', 'D2']);
      expect(await namesIn('?sort=-id')).toEqual(['D2', 'D1', 'D0']);
      expect(await namesIn('?sort=created_at')).toEqual(['D1', 'D2', 'D0']);
      expect(await namesIn('?sort=-created_at')).toEqual(['D0', 'D2', 'D1']);
      expect(await namesIn('?sort=serial_no')).toEqual(['D2', 'D0', 'D1']);
      expect(await namesIn('?sort=status')).toEqual(['D0', 'D2', 'D1']);
      expect(await namesIn('?sort=-status')).toEqual(['D1', 'D2', 'D0']);
      expect(await namesIn('?sort=-created_at&per_page=1&page=3')).toEqual(['D1']);
      expect(await namesIn('?sort=&per_page=1&page=3')).toEqual(['D2']);
      test.clock.set('2026-01-31T08:00:00.000Z');
    });

    it('are filtered by creation time, as timestamps or days of the time zone', async () => {
      for (const moment of [
        '2026-01-30T15:59:59.999Z',
        '2026-01-30T16:00:00.000Z',
        '2026-01-31T16:00:00.000Z',
      ]) {
        test.clock.set(moment);
        await fixture.device(moment);
      }
      test.clock.set('2026-01-31T08:00:00.000Z');
      const daysOf = async (query: string) => (await namesIn(query)).map((name) => name.slice(8, 13));
      expect(await daysOf('?from=2026-01-31')).toEqual(['30T16', '31T16']);
      expect(await daysOf('?to=2026-01-31')).toEqual(['30T15', '30T16']);
      expect(await daysOf('?from=2026-01-31&to=2026-01-31')).toEqual(['30T16']);
      expect(await daysOf('?from=2026-01-30T16:00:00Z&to=2026-01-31T16:00:00Z')).toEqual(['30T16']);
      expect(await daysOf('?to=2026-01-31T00:00:00%2B08:00')).toEqual(['30T15']);
      expect(await daysOf('?from=&to=')).toHaveLength(3);
    });

    it.each([
      ['per_page=101', 'per_page 不能大于 100'],
      ['status=2', 'status 取值无效'],
      ['group_id=0', 'group_id 不能小于 1'],
      ['group_id=x', 'group_id 必须是整数'],
      ['ungrouped=2', 'ungrouped 取值无效'],
      ['sort=name', 'sort 取值无效'],
      ['sort=--id', 'sort 取值无效'],
      ['from=yesterday', 'from 取值无效'],
      ['from=2026-02-30', 'from 取值无效'],
      ['to=2026-01-31T08:00:00', 'to 取值无效'],
    ])('reject %s with "%s"', async (query, message) => {
      const response = await fixture.admin.get(`${DEVICES}?${query}`);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });
  });

  it.each(['GET', 'PUT', 'DELETE'] as const)('return 404 for %s of an unknown device', async (method) => {
    const response = await fixture.admin.send(method, `${DEVICES}/${UNKNOWN_ID}`);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ code: 404, message: '设备不存在', data: null });
    const changed = await fixture.admin.put(`${DEVICES}/${UNKNOWN_ID}`, { name: 'A' });
    expect(changed.body.message).toBe('设备不存在');
  });

  it('return 422 for an invalid id', async () => {
    const response = await fixture.admin.get(`${DEVICES}/x`);
    expect(response.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
  });

  describe('being changed', () => {
    it('change only the given fields, and return the device', async () => {
      const id = await fixture.device('A', { serial_no: 'SN-1' });
      const created_at = '2026-01-31T08:00:00.000Z';
      const put = async (body: object) => (await fixture.admin.put(`${DEVICES}/${id}`, body)).body;
      expect(await put({ name: 'B' })).toEqual({
        code: 0,
        message: '操作成功',
        data: expect.objectContaining({
          id,
          name: 'B',
          serial_no: 'SN-1',
          status: 1,
          created_at,
          groups: [],
        }),
      });
      expect((await put({ status: 0 })).data).toMatchObject({ name: 'B', status: 0 });
      expect((await put({ serial_no: 'SN-2' })).data).toMatchObject({ serial_no: 'SN-2', status: 0 });
      expect((await put({ name: null, serial_no: null, status: null })).data).toMatchObject({
        name: 'B',
        serial_no: 'SN-2',
        status: 0,
      });
      expect(await search('sn-2')).toEqual(['B']);
      expect(await search('sn-1')).toEqual([]);
    });

    it('reject an empty name, and a serial number of another device', async () => {
      const id = await fixture.device('A', { serial_no: 'SN-1' });
      await fixture.device('B', { serial_no: 'SN-2' });
      const put = (body: object) => fixture.admin.put(`${DEVICES}/${id}`, body);
      expect((await put({ name: '' })).body.message).toBe('name 字段不能为空');
      const taken = await put({ name: 'X', serial_no: 'SN-2' });
      expect(taken.status).toBe(409);
      expect(taken.body).toEqual({ code: 409, message: '序列号已存在', data: null });
      expect((await put({ serial_no: 'SN-1' })).body.data).toMatchObject({ name: 'A', serial_no: 'SN-1' });
    });
  });

  it('leave their groups and free their serial number when they are deleted', async () => {
    const id = await fixture.device('A', { serial_no: 'SN-1' });
    const group = await fixture.group('G', { device_ids: [id] });
    expect((await fixture.admin.delete(`${DEVICES}/${id}`)).body).toEqual({
      code: 0,
      message: '操作成功',
      data: null,
    });
    expect((await fixture.admin.get(`${GROUPS}/${group}`)).body.data.device_count).toBe(0);
    expect((await fixture.admin.delete(`${GROUPS}/${group}`)).body.code).toBe(0);
    expect(await fixture.device('B', { serial_no: 'SN-1' })).toEqual(expect.any(Number));
  });
});
