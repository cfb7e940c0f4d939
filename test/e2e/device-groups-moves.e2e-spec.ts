import { Estate } from '../support/estate';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

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

  const move = async (id: number | undefined, parent_id: number | null | undefined) =>
    (await estate.admin.put(`${GROUPS}/${id}`, { parent_id })).body;
  const remove = (id: number | undefined) => estate.admin.delete(`${GROUPS}/${id}`);

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
