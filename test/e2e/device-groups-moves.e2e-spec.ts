import { DeviceFixture } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

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

  const move = async (id: number | undefined, parent_id: number | null | undefined) =>
    (await fixture.admin.put(`${GROUPS}/${id}`, { parent_id })).body;
  const remove = (id: number | undefined) => fixture.admin.delete(`${GROUPS}/${id}`);

  describe('being moved', () => {
    it('keep their subtree', async () => {
      const [, b, c] = await fixture.nestedGroups(['A', 'B', 'C']);
      const z = await fixture.group('Z');
      expect((await move(b, z)).code).toBe(0);
      expect(await fixture.treeShape()).toEqual([
        ['A', []],
        ['Z', [['B', [['C', []]]]]],
      ]);
      expect((await fixture.admin.get(`${GROUPS}/${c}`)).body.data.path).toEqual([
        { id: z, name: 'Z' },
        { id: b, name: 'B' },
      ]);
      expect((await move(b, null)).code).toBe(0);
      expect(await fixture.treeShape()).toEqual([
        ['A', []],
        ['B', [['C', []]]],
        ['Z', []],
      ]);
    });

    it('do not affect a group whose id has the same prefix', async () => {
      const fresh = await createTestApp();
      const { admin, group } = await DeviceFixture.create(fresh);
      const ids: number[] = [];
      for (let id = 1; id <= 11; id += 1) ids.push(await group(`G${id}`));
      expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      await admin.put(`${GROUPS}/1`, { parent_id: 2 });
      expect((await admin.get(`${GROUPS}/10`)).body.data).toMatchObject({ parent_id: null, path: [] });
      await fresh.close();
    });

    it('reject their own subtree as target', async () => {
      const [a, b, c] = await fixture.nestedGroups(['A', 'B', 'C']);
      for (const target of [a, b, c]) {
        const response = await fixture.admin.put(`${GROUPS}/${a}`, { name: 'X', parent_id: target });
        expect(response.status).toBe(422);
        expect(response.body).toEqual({ code: 422, message: '不能移动到自身或下级分组', data: null });
      }
      expect(await fixture.treeShape()).toEqual([['A', [['B', [['C', []]]]]]]);
    });

    it('stay in place when moved to their current parent', async () => {
      const [a, b] = await fixture.nestedGroups(['A', 'B']);
      expect((await move(b, a)).code).toBe(0);
      expect((await move(a, null)).code).toBe(0);
      expect(await fixture.treeShape()).toEqual([['A', [['B', []]]]]);
    });

    it('reject a move that brings a descendant below the tenth level', async () => {
      const eight = await fixture.nestedGroups(['1', '2', '3', '4', '5', '6', '7', '8']);
      const [x, , z] = await fixture.nestedGroups(['X', 'Y', 'Z']);
      const refused = await move(x, eight[7]);
      expect(refused).toEqual({ code: 422, message: '分组层级不能超过 10 级', data: null });
      expect((await move(x, eight[6])).code).toBe(0);
      const tooDeep = await fixture.admin.post(GROUPS, { name: '11', parent_id: z });
      expect(tooDeep.body.message).toBe('分组层级不能超过 10 级');
      expect((await move(x, null)).code).toBe(0);
      expect(await fixture.group('deeper again', { parent_id: z })).toEqual(expect.any(Number));
    });
  });

  describe('being deleted', () => {
    it('are removed from the tree and the list', async () => {
      const id = await fixture.group('A');
      expect((await remove(id)).body).toEqual({ code: 0, message: '操作成功', data: null });
      expect((await remove(id)).body).toEqual({ code: 404, message: '分组不存在', data: null });
      expect((await list()).items).toEqual([]);
    });

    it('are rejected with sub-groups, even with devices too', async () => {
      const [a] = await fixture.nestedGroups(['A', 'B']);
      await fixture.admin.post(`${GROUPS}/${a}/devices`, { device_ids: await fixture.devices(1) });
      const response = await remove(a);
      expect(response.status).toBe(409);
      expect(response.body).toEqual({ code: 409, message: '分组下存在子分组', data: null });
    });

    it('are rejected with devices', async () => {
      const device_ids = await fixture.devices(1);
      const id = await fixture.group('A', { device_ids });
      const response = await remove(id);
      expect(response.status).toBe(409);
      expect(response.body).toEqual({ code: 409, message: '分组下存在设备', data: null });
      await fixture.admin.delete(`${GROUPS}/${id}/devices`, { device_ids });
      expect((await remove(id)).body.code).toBe(0);
    });
  });
});
