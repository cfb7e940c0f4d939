import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

const namesOf = (data: { items: { name: string }[] }): string[] => data.items.map(({ name }) => name);

describe('Device groups', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const list = async (query = '') => (await fixture.admin.get(`${GROUPS}${query}`)).body.data;

  describe('being created', () => {
    it('return the id', async () => {
      const response = await fixture.admin.post(GROUPS, {
        name: '一号楼',
        description: '靠近东门',
        parent_id: null,
        sort_order: 5,
      });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        code: 0,
        message: '操作成功',
        data: { id: expect.any(Number) },
      });
      const { body } = await fixture.admin.get(`${GROUPS}/${response.body.data.id}`);
      expect(body.data).toEqual({
        id: response.body.data.id,
        name: '一号楼',
        description: '靠近东门',
        parent_id: null,
        sort_order: 5,
        status: 1,
        device_count: 0,
        total_device_count: 0,
        child_count: 0,
        path: [],
      });
    });

    it('require only a name', async () => {
      const id = await fixture.group('A');
      const { body } = await fixture.admin.get(`${GROUPS}/${id}`);
      expect(body.data).toMatchObject({ description: '', parent_id: null, sort_order: 0, status: 1 });
    });

    it.each([
      [{}, 'name 字段不能为空'],
      [{ name: '' }, 'name 字段不能为空'],
      [{ name: '  ' }, 'name 字段不能为空'],
      [{ name: null, parent_id: 'x' }, 'name 字段不能为空'],
      [{ name: 7 }, 'name 必须是字符串'],
      [{ name: '名'.repeat(101) }, 'name 长度不能超过 100 个字符'],
      [{ name: 'A\0' }, 'name 取值无效'],
      [{ name: 'A', description: '述'.repeat(501) }, 'description 长度不能超过 500 个字符'],
      [{ name: 'A', parent_id: 0 }, 'parent_id 不能小于 1'],
      [{ name: 'A', parent_id: '1' }, 'parent_id 必须是整数'],
      [{ name: 'A', parent_id: UNKNOWN_ID }, '上级分组不存在'],
      [{ name: 'A', sort_order: 1.5 }, 'sort_order 必须是整数'],
      [{ name: 'A', sort_order: 2_147_483_648 }, 'sort_order 不能大于 2147483647'],
      [{ name: 'A', sort_order: -2_147_483_649 }, 'sort_order 不能小于 -2147483648'],
      [{ name: 'A', device_ids: 'x' }, 'device_ids 必须是数组'],
      [{ name: 'A', device_ids: [1.5] }, 'device_ids 取值无效'],
      [{ name: 'A', device_ids: [UNKNOWN_ID] }, `设备不存在: ${UNKNOWN_ID}`],
      [{ name: 'A', parent_id: UNKNOWN_ID, device_ids: [UNKNOWN_ID] }, '上级分组不存在'],
    ])('reject %j with "%s" and create nothing', async (body, message) => {
      const response = await fixture.admin.post(GROUPS, body);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect((await list()).items).toEqual([]);
    });

    it('accept and return the longest name and description unchanged, in characters', async () => {
      const name = '😀'.repeat(100);
      const description = 'ﬃ'.repeat(500);
      const id = await fixture.group(name, { description });
      const { body } = await fixture.admin.get(`${GROUPS}/${id}`);
      expect(body.data).toMatchObject({ name, description });
    });

    it('receive the given devices, each once', async () => {
      const [one, two] = await fixture.devices(2);
      const id = await fixture.group('A', { device_ids: [two, one, two] });
      expect(await fixture.deviceIds(id)).toEqual([one, two]);
    });

    it('treat an empty list of devices and an empty description as omitted', async () => {
      const id = await fixture.group('A', { device_ids: [], description: '' });
      const { body } = await fixture.admin.get(`${GROUPS}/${id}`);
      expect(body.data).toMatchObject({ description: '', device_count: 0 });
    });

    it('return an error below the tenth level', async () => {
      const ids = await fixture.nestedGroups(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
      const response = await fixture.admin.post(GROUPS, { name: '11', parent_id: ids[9] });
      expect(response.body).toEqual({ code: 422, message: '分组层级不能超过 10 级', data: null });
    });
  });

  describe('one by one', () => {
    it('return their direct devices, direct children and ancestors from the root', async () => {
      const [a, b, c] = await fixture.nestedGroups(['A', 'B', 'C']);
      await fixture.group('B2', { parent_id: a });
      await fixture.admin.post(`${GROUPS}/${b}/devices`, { device_ids: await fixture.devices(3) });
      expect((await fixture.admin.get(`${GROUPS}/${a}`)).body.data).toMatchObject({
        device_count: 0,
        total_device_count: 3,
        child_count: 2,
        path: [],
      });
      expect((await fixture.admin.get(`${GROUPS}/${b}`)).body.data).toMatchObject({
        device_count: 3,
        child_count: 1,
      });
      expect((await fixture.admin.get(`${GROUPS}/${c}`)).body.data).toEqual({
        id: c,
        name: 'C',
        description: '',
        parent_id: b,
        sort_order: 0,
        status: 1,
        device_count: 0,
        total_device_count: 0,
        child_count: 0,
        path: [
          { id: a, name: 'A' },
          { id: b, name: 'B' },
        ],
      });
    });

    it.each([
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/devices'],
    ] as const)('return 404 for %s of an unknown group%s', async (method, rest) => {
      const response = await fixture.admin.send(method, `${GROUPS}/${UNKNOWN_ID}${rest}`);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ code: 404, message: '分组不存在', data: null });
    });

    it('return 422 for an invalid id', async () => {
      const response = await fixture.admin.get(`${GROUPS}/x`);
      expect(response.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
    });
  });

  describe('being changed', () => {
    it('change only the given fields, and return the group', async () => {
      const parent = await fixture.group('P');
      const id = await fixture.group('A', { description: 'a', parent_id: parent, sort_order: 3 });
      const unchanged = {
        id,
        name: 'A',
        description: 'a',
        parent_id: parent,
        sort_order: 3,
        status: 1,
        device_count: 0,
        total_device_count: 0,
        child_count: 0,
        path: [{ id: parent, name: 'P' }],
      };
      const put = async (body?: object) => (await fixture.admin.put(`${GROUPS}/${id}`, body)).body;
      expect(await put()).toEqual({ code: 0, message: '操作成功', data: unchanged });
      expect((await put({ name: 'B' })).data).toEqual({ ...unchanged, name: 'B' });
      expect((await put({ status: 0 })).data).toEqual({ ...unchanged, name: 'B', status: 0 });
      expect((await put({ sort_order: -7 })).data).toMatchObject({ status: 0, sort_order: -7 });
      expect((await put({ description: '' })).data).toMatchObject({ name: 'B', description: '' });
      expect((await put({ parent_id: null })).data).toMatchObject({ parent_id: null, path: [] });
    });

    it('treat null, except for the parent, and unknown fields as omitted', async () => {
      const id = await fixture.group('A', { description: 'a', sort_order: 3 });
      const { body } = await fixture.admin.put(`${GROUPS}/${id}`, {
        name: null,
        description: null,
        sort_order: null,
        status: null,
        path: '/',
        id: 7,
      });
      expect(body.data).toMatchObject({ id, name: 'A', description: 'a', sort_order: 3, status: 1 });
    });

    it.each([
      [{ name: '' }, 'name 字段不能为空'],
      [{ name: ' ' }, 'name 字段不能为空'],
      [{ name: 'x'.repeat(101) }, 'name 长度不能超过 100 个字符'],
      [{ name: 'B', description: 5 }, 'description 必须是字符串'],
      [{ name: 'B', parent_id: 0 }, 'parent_id 不能小于 1'],
      [{ name: 'B', parent_id: UNKNOWN_ID }, '上级分组不存在'],
      [{ name: 'B', sort_order: 'x' }, 'sort_order 必须是整数'],
      [{ name: 'B', status: 2 }, 'status 取值无效'],
    ])('reject %j with "%s" and change nothing', async (body, message) => {
      const id = await fixture.group('A');
      const response = await fixture.admin.put(`${GROUPS}/${id}`, body);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect(namesOf(await list())).toEqual(['A']);
    });
  });
});
