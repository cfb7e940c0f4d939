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
  const search = async (keyword: string) => namesOf(await list(`?keyword=${encodeURIComponent(keyword)}`));

  const move = async (id: number | undefined, parent_id: number | null | undefined) =>
    (await estate.admin.put(`${GROUPS}/${id}`, { parent_id })).body;
  const remove = (id: number | undefined) => estate.admin.delete(`${GROUPS}/${id}`);

  it('are for administrators alone', async () => {
    const nobody = await test.api.get(GROUPS);
    expect(nobody.status).toBe(401);
    expect(nobody.body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
    const user = await (await test.api.as({ id: 2 })).get(GROUPS);
    expect(user.status).toBe(403);
    expect(user.body).toEqual({ code: 403, message: '无权限', data: null });
  });

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

  describe('in a list', () => {
    it('have exactly the fields and the pagination of the specification', async () => {
      const id = await estate.group('A', { description: 'a', sort_order: -1 });
      const child = await estate.group('B', { parent_id: id });
      const answer = await estate.admin.get(GROUPS);
      expect(answer.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          items: [
            { id, name: 'A', description: 'a', parent_id: null, sort_order: -1, status: 1 },
            { id: child, name: 'B', description: '', parent_id: id, sort_order: 0, status: 1 },
          ],
          pagination: { current_page: 1, per_page: 15, total: 2, total_pages: 1 },
        },
      });
      expect(answer.headers['x-total-count']).toBe('2');
    });

    it('come fifteen to a page, by sort_order, then id', async () => {
      for (let index = 1; index <= 18; index += 1) {
        await estate.group(`G${index}`, { sort_order: index > 16 ? -2_147_483_648 : 0 });
      }
      const first = await list();
      expect(namesOf(first)).toEqual(['G17', 'G18', ...Array.from({ length: 13 }, (_, i) => `G${i + 1}`)]);
      expect(first.pagination).toEqual({ current_page: 1, per_page: 15, total: 18, total_pages: 2 });
      const second = await list('?page=2');
      expect(namesOf(second)).toEqual(['G14', 'G15', 'G16']);
      expect(second.pagination).toEqual({ current_page: 2, per_page: 15, total: 18, total_pages: 2 });
      const full = await list('?page=3&per_page=6');
      expect(namesOf(full)).toEqual(['G11', 'G12', 'G13', 'G14', 'G15', 'G16']);
      expect(full.pagination).toEqual({ current_page: 3, per_page: 6, total: 18, total_pages: 3 });
    });

    it('are as many as there are, also when another instance has made or deleted some', async () => {
      const id = await estate.group('A');
      expect((await list()).pagination.total).toBe(1);
      const other = await createTestApp({ database: test.database });
      const admin = await other.api.as({ id: 1, role: 'admin' });
      await admin.post(GROUPS, { name: 'B' });
      expect(namesOf(await list())).toEqual(['A', 'B']);
      expect((await list('?per_page=1&page=2')).pagination).toMatchObject({ total: 2, total_pages: 2 });
      await admin.delete(`${GROUPS}/${id}`);
      expect((await list()).pagination.total).toBe(1);
      expect((await list('?page=2')).items).toEqual([]);
      await other.close();
    });

    it('are none beyond the end, with correct totals', async () => {
      await estate.group('A');
      const beyond = await list('?page=2147483647&per_page=100');
      expect(beyond.items).toEqual([]);
      expect(beyond.pagination).toEqual({
        current_page: 2_147_483_647,
        per_page: 100,
        total: 1,
        total_pages: 1,
      });
    });

    it('make one empty page when there are none', async () => {
      expect(await list()).toEqual({
        items: [],
        pagination: { current_page: 1, per_page: 15, total: 0, total_pages: 1 },
      });
    });

    it('are found by parent, 0 being the top level', async () => {
      const a = await estate.group('A');
      await estate.group('B');
      const a1 = await estate.group('A1', { parent_id: a });
      await estate.group('A11', { parent_id: a1 });
      expect(namesOf(await list('?parent_id=0'))).toEqual(['A', 'B']);
      expect(namesOf(await list(`?parent_id=${a}`))).toEqual(['A1']);
      expect(namesOf(await list(`?parent_id=${UNKNOWN_ID}`))).toEqual([]);
      expect(namesOf(await list('?parent_id='))).toEqual(['A', 'B', 'A1', 'A11']);
    });

    it('are found by status', async () => {
      const a = await estate.group('A');
      await estate.group('B');
      await estate.admin.put(`${GROUPS}/${a}`, { status: 0 });
      expect(namesOf(await list('?status=0'))).toEqual(['A']);
      expect(namesOf(await list('?status=1'))).toEqual(['B']);
      expect(namesOf(await list('?status=1&keyword=a'))).toEqual([]);
    });

    it('are found by a part of the name, without regard to case in any script', async () => {
      for (const name of ['École Nord', 'ДОМ 7', 'Straße', 'ΟΔΟΣ Αθηνών', '一号楼']) await estate.group(name);
      expect(await search('école')).toEqual(['École Nord']);
      expect(await search('LE NO')).toEqual(['École Nord']);
      expect(await search('дом')).toEqual(['ДОМ 7']);
      expect(await search('STRASSE')).toEqual(['Straße']);
      expect(await search('οδοσ αθηνών')).toEqual(['ΟΔΟΣ Αθηνών']);
      expect(await search('号')).toEqual(['一号楼']);
      expect(await search('nothing')).toEqual([]);
      expect(await search('')).toHaveLength(5);
    });

    it('keep accents and emoji apart in a search', async () => {
      for (const name of ['cafe', 'café', '😀', '😁']) await estate.group(name);
      expect(await search('CAFÉ')).toEqual(['café']);
      expect(await search('cafe')).toEqual(['cafe']);
      expect(await search('😁')).toEqual(['😁']);
    });

    it('take %, _, quotes and backslashes in a search as they are', async () => {
      for (const name of ['100%', '100 percent', 'a_b', 'axb', 'C:\\tools', "O'Neil", 'x\\']) {
        await estate.group(name);
      }
      expect(await search('%')).toEqual(['100%']);
      expect(await search('_')).toEqual(['a_b']);
      expect(await search('\\')).toEqual(['C:\\tools', 'x\\']);
      expect(await search("'")).toEqual(["O'Neil"]);
      expect(await search('x\\')).toEqual(['x\\']);
      expect(await search(' ')).toEqual(['100 percent']);
    });

    it('are found by a name that is three times as long without case', async () => {
      const name = 'ﬃ'.repeat(100);
      await estate.group(name);
      expect(await search('IFF')).toEqual([name]);
    });

    it('are found by their new name once they are renamed', async () => {
      const id = await estate.group('Alt');
      await estate.admin.put(`${GROUPS}/${id}`, { name: 'NEU' });
      expect(await search('alt')).toEqual([]);
      expect(await search('neu')).toEqual(['NEU']);
    });

    it.each([
      ['page=0', 'page 不能小于 1'],
      ['page=x', 'page 必须是整数'],
      ['page=-1', 'page 必须是整数'],
      ['per_page=101', 'per_page 不能大于 100'],
      ['per_page=0', 'per_page 不能小于 1'],
      [`keyword=${'x'.repeat(101)}`, 'keyword 长度不能超过 100 个字符'],
      ['keyword=%00', 'keyword 取值无效'],
      ['status=2', 'status 取值无效'],
      ['status=on', 'status 必须是整数'],
      ['parent_id=-1', 'parent_id 必须是整数'],
      ['parent_id=99999999999999999999', 'parent_id 不能大于 9007199254740991'],
      ['per_page=0&page=0', 'page 不能小于 1'],
    ])('refuse %s with "%s"', async (query, message) => {
      const answer = await estate.admin.get(`${GROUPS}?${query}`);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ code: 422, message, data: null });
    });
  });

  describe('one by one', () => {
    it('tell their direct devices, their direct sub-groups and their ancestors from the root', async () => {
      const [a, b, c] = await estate.chain(['A', 'B', 'C']);
      await estate.group('B2', { parent_id: a });
      await estate.admin.post(`${GROUPS}/${b}/devices`, { device_ids: await estate.devices(3) });
      expect((await estate.admin.get(`${GROUPS}/${a}`)).body.data).toMatchObject({
        device_count: 0,
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

  describe('being moved', () => {
    it('take everything below them along', async () => {
      const [, b, c] = await estate.chain(['A', 'B', 'C']);
      const z = await estate.group('Z');
      expect((await move(b, z)).code).toBe(0);
      expect(await estate.shape()).toEqual([
        ['A', []],
        ['Z', [['B', [['C', []]]]]],
      ]);
      expect((await estate.admin.get(`${GROUPS}/${c}`)).body.data.path).toEqual([
        { id: z, name: 'Z' },
        { id: b, name: 'B' },
      ]);
      expect((await move(b, null)).code).toBe(0);
      expect(await estate.shape()).toEqual([
        ['A', []],
        ['B', [['C', []]]],
        ['Z', []],
      ]);
    });

    it('leave alone a group whose id begins like theirs', async () => {
      const fresh = await createTestApp();
      const { admin, group } = await Estate.of(fresh);
      const ids: number[] = [];
      for (let id = 1; id <= 11; id += 1) ids.push(await group(`G${id}`));
      expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      await admin.put(`${GROUPS}/1`, { parent_id: 2 });
      expect((await admin.get(`${GROUPS}/10`)).body.data).toMatchObject({ parent_id: null, path: [] });
      await fresh.close();
    });

    it('refuse to go into themselves or anything below', async () => {
      const [a, b, c] = await estate.chain(['A', 'B', 'C']);
      for (const target of [a, b, c]) {
        const answer = await estate.admin.put(`${GROUPS}/${a}`, { name: 'X', parent_id: target });
        expect(answer.status).toBe(422);
        expect(answer.body).toEqual({ code: 422, message: '不能移动到自身或下级分组', data: null });
      }
      expect(await estate.shape()).toEqual([['A', [['B', [['C', []]]]]]]);
    });

    it('are where they are when moved there', async () => {
      const [a, b] = await estate.chain(['A', 'B']);
      expect((await move(b, a)).code).toBe(0);
      expect((await move(a, null)).code).toBe(0);
      expect(await estate.shape()).toEqual([['A', [['B', []]]]]);
    });

    it('refuse to bring the deepest group below the tenth level', async () => {
      const eight = await estate.chain(['1', '2', '3', '4', '5', '6', '7', '8']);
      const [x, , z] = await estate.chain(['X', 'Y', 'Z']);
      const refused = await move(x, eight[7]);
      expect(refused).toEqual({ code: 422, message: '分组层级不能超过 10 级', data: null });
      expect((await move(x, eight[6])).code).toBe(0);
      const tooDeep = await estate.admin.post(GROUPS, { name: '11', parent_id: z });
      expect(tooDeep.body.message).toBe('分组层级不能超过 10 级');
      expect((await move(x, null)).code).toBe(0);
      expect(await estate.group('deeper again', { parent_id: z })).toEqual(expect.any(Number));
    });
  });

  describe('being deleted', () => {
    it('are gone', async () => {
      const id = await estate.group('A');
      expect((await remove(id)).body).toEqual({ code: 0, message: '操作成功', data: null });
      expect((await remove(id)).body).toEqual({ code: 404, message: '分组不存在', data: null });
      expect((await list()).items).toEqual([]);
    });

    it('refuse while they have sub-groups, even when they have devices too', async () => {
      const [a] = await estate.chain(['A', 'B']);
      await estate.admin.post(`${GROUPS}/${a}/devices`, { device_ids: await estate.devices(1) });
      const answer = await remove(a);
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({ code: 409, message: '分组下存在子分组', data: null });
    });

    it('refuse while they have devices', async () => {
      const device_ids = await estate.devices(1);
      const id = await estate.group('A', { device_ids });
      const answer = await remove(id);
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({ code: 409, message: '分组下存在设备', data: null });
      await estate.admin.delete(`${GROUPS}/${id}/devices`, { device_ids });
      expect((await remove(id)).body.code).toBe(0);
    });
  });
});
