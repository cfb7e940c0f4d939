import { Estate, UNKNOWN_ID } from '../support/estate';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

const namesOf = (data: { items: { name: string }[] }): string[] => data.items.map(({ name }) => name);

describe('Device groups', () => {
  let test: TestApp;
  let estate: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
  });
  beforeEach(() => estate.clear());
  afterAll(() => test?.close());

  const list = async (query = '') => (await estate.admin.get(`${GROUPS}${query}`)).body.data;

  describe('being created', () => {
    it('answers the id', async () => {
      const answer = await estate.admin.post(GROUPS, {
        name: '一号楼',
        description: '靠近东门',
        parent_id: null,
        sort_order: 5,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        code: 0,
        message: '操作成功',
        data: { id: expect.any(Number) },
      });
      const { body } = await estate.admin.get(`${GROUPS}/${answer.body.data.id}`);
      expect(body.data).toEqual({
        id: answer.body.data.id,
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

    it('needs nothing but a name', async () => {
      const id = await estate.group('A');
      const { body } = await estate.admin.get(`${GROUPS}/${id}`);
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
    ])('refuses %j with "%s" and creates nothing', async (body, message) => {
      const answer = await estate.admin.post(GROUPS, body);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ code: 422, message, data: null });
      expect((await list()).items).toEqual([]);
    });

    it('takes the longest name and description, in characters, and gives them back unchanged', async () => {
      const name = '😀'.repeat(100);
      const description = 'ﬃ'.repeat(500);
      const id = await estate.group(name, { description });
      const { body } = await estate.admin.get(`${GROUPS}/${id}`);
      expect(body.data).toMatchObject({ name, description });
    });

    it('puts the devices named into it, each once', async () => {
      const [one, two] = await estate.devices(2);
      const id = await estate.group('A', { device_ids: [two, one, two] });
      expect(await estate.idsIn(id)).toEqual([one, two]);
    });

    it('takes an empty list of devices and an empty description as left out', async () => {
      const id = await estate.group('A', { device_ids: [], description: '' });
      const { body } = await estate.admin.get(`${GROUPS}/${id}`);
      expect(body.data).toMatchObject({ description: '', device_count: 0 });
    });

    it('ends at the tenth level', async () => {
      const ids = await estate.chain(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
      const answer = await estate.admin.post(GROUPS, { name: '11', parent_id: ids[9] });
      expect(answer.body).toEqual({ code: 422, message: '分组层级不能超过 10 级', data: null });
    });
  });

  describe('one by one', () => {
    it('tell their direct devices, their direct sub-groups and their ancestors from the root', async () => {
      const [a, b, c] = await estate.chain(['A', 'B', 'C']);
      await estate.group('B2', { parent_id: a });
      await estate.admin.post(`${GROUPS}/${b}/devices`, { device_ids: await estate.devices(3) });
      expect((await estate.admin.get(`${GROUPS}/${a}`)).body.data).toMatchObject({
        device_count: 0,
        total_device_count: 3,
        child_count: 2,
        path: [],
      });
      expect((await estate.admin.get(`${GROUPS}/${b}`)).body.data).toMatchObject({
        device_count: 3,
        child_count: 1,
      });
      expect((await estate.admin.get(`${GROUPS}/${c}`)).body.data).toEqual({
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
    ] as const)('answer %s of an unknown one%s with 404', async (method, rest) => {
      const answer = await estate.admin.send(method, `${GROUPS}/${UNKNOWN_ID}${rest}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ code: 404, message: '分组不存在', data: null });
    });

    it.each(['0', 'x', '-1', '1.5', '9007199254740992', '1'.repeat(200)])(
      'answer the id %s with 422',
      async (id) => {
        const answer = await estate.admin.get(`${GROUPS}/${id}`);
        expect(answer.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
      },
    );
  });

  describe('being changed', () => {
    it('change only in what is sent, and answer the group', async () => {
      const parent = await estate.group('P');
      const id = await estate.group('A', { description: 'a', parent_id: parent, sort_order: 3 });
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
      const put = async (body?: object) => (await estate.admin.put(`${GROUPS}/${id}`, body)).body;
      expect(await put()).toEqual({ code: 0, message: '操作成功', data: unchanged });
      expect((await put({ name: 'B' })).data).toEqual({ ...unchanged, name: 'B' });
      expect((await put({ status: 0 })).data).toEqual({ ...unchanged, name: 'B', status: 0 });
      expect((await put({ sort_order: -7 })).data).toMatchObject({ status: 0, sort_order: -7 });
      expect((await put({ description: '' })).data).toMatchObject({ name: 'B', description: '' });
      expect((await put({ parent_id: null })).data).toMatchObject({ parent_id: null, path: [] });
    });

    it('take null in all fields but the parent, and unknown fields, as left out', async () => {
      const id = await estate.group('A', { description: 'a', sort_order: 3 });
      const { body } = await estate.admin.put(`${GROUPS}/${id}`, {
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
    ])('refuse %j with "%s" and stay as they were', async (body, message) => {
      const id = await estate.group('A');
      const answer = await estate.admin.put(`${GROUPS}/${id}`, body);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ code: 422, message, data: null });
      expect(namesOf(await list())).toEqual(['A']);
    });
  });
});
