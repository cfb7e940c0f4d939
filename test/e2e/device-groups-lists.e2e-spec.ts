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
  const search = async (keyword: string) => namesOf(await list(`?keyword=${encodeURIComponent(keyword)}`));

  describe('in a list', () => {
    it('have exactly the fields and the pagination of the original operation', async () => {
      const id = await fixture.group('A', { description: 'a', sort_order: -1 });
      const device_ids = await fixture.devices(1);
      const child = await fixture.group('B', { parent_id: id, device_ids });
      const response = await fixture.admin.get(GROUPS);
      expect(response.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          items: [
            {
              id,
              name: 'A',
              description: 'a',
              parent_id: null,
              sort_order: -1,
              status: 1,
              device_count: 0,
              total_device_count: 1,
            },
            {
              id: child,
              name: 'B',
              description: '',
              parent_id: id,
              sort_order: 0,
              status: 1,
              device_count: 1,
              total_device_count: 1,
            },
          ],
          pagination: { current_page: 1, per_page: 15, total: 2, total_pages: 1 },
        },
      });
      expect(response.headers['x-total-count']).toBe('2');
    });

    it('come fifteen to a page, by sort_order, then id', async () => {
      for (let index = 1; index <= 18; index += 1) {
        await fixture.group(`G${index}`, { sort_order: index > 16 ? -2_147_483_648 : 0 });
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

    it('have current totals, also when another instance creates or deletes groups', async () => {
      const id = await fixture.group('A');
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

    it('return an empty page beyond the end, with correct totals', async () => {
      await fixture.group('A');
      const beyond = await list('?page=2147483647&per_page=100');
      expect(beyond.items).toEqual([]);
      expect(beyond.pagination).toEqual({
        current_page: 2_147_483_647,
        per_page: 100,
        total: 1,
        total_pages: 1,
      });
    });

    it('return one empty page without groups', async () => {
      expect(await list()).toEqual({
        items: [],
        pagination: { current_page: 1, per_page: 15, total: 0, total_pages: 1 },
      });
    });

    it('are filtered by parent, 0 for the top level', async () => {
      const a = await fixture.group('A');
      await fixture.group('B');
      const a1 = await fixture.group('A1', { parent_id: a });
      await fixture.group('A11', { parent_id: a1 });
      expect(namesOf(await list('?parent_id=0'))).toEqual(['A', 'B']);
      expect(namesOf(await list(`?parent_id=${a}`))).toEqual(['A1']);
      expect(namesOf(await list(`?parent_id=${UNKNOWN_ID}`))).toEqual([]);
      expect(namesOf(await list('?parent_id='))).toEqual(['A', 'B', 'A1', 'A11']);
    });

    it('are filtered by status', async () => {
      const a = await fixture.group('A');
      await fixture.group('B');
      await fixture.admin.put(`${GROUPS}/${a}`, { status: 0 });
      expect(namesOf(await list('?status=0'))).toEqual(['A']);
      expect(namesOf(await list('?status=1'))).toEqual(['B']);
      expect(namesOf(await list('?status=1&keyword=a'))).toEqual([]);
    });

    it('are found by a part of the name, case-insensitively in any script', async () => {
      for (const name of ['École Nord', 'ДОМ 7', 'Straße', 'ΟΔΟΣ Αθηνών', '一号楼'])
        await fixture.group(name);
      expect(await search('école')).toEqual(['École Nord']);
      expect(await search('LE NO')).toEqual(['École Nord']);
      expect(await search('дом')).toEqual(['ДОМ 7']);
      expect(await search('STRASSE')).toEqual(['Straße']);
      expect(await search('οδοσ αθηνών')).toEqual(['ΟΔΟΣ Αθηνών']);
      expect(await search('号')).toEqual(['一号楼']);
      expect(await search('nothing')).toEqual([]);
      expect(await search('')).toHaveLength(5);
    });

    it('distinguish accents and emoji in a search', async () => {
      for (const name of ['cafe', 'café', '😀', '😁']) await fixture.group(name);
      expect(await search('CAFÉ')).toEqual(['café']);
      expect(await search('cafe')).toEqual(['cafe']);
      expect(await search('😁')).toEqual(['😁']);
    });

    it('treat %, _, quotes and backslashes literally in a search', async () => {
      for (const name of ['100%', '100 percent', 'a_b', 'axb', 'C:\\tools', "O'Neil", 'x\\']) {
        await fixture.group(name);
      }
      expect(await search('%')).toEqual(['100%']);
      expect(await search('_')).toEqual(['a_b']);
      expect(await search('\\')).toEqual(['C:\\tools', 'x\\']);
      expect(await search("'")).toEqual(["O'Neil"]);
      expect(await search('x\\')).toEqual(['x\\']);
      expect(await search(' ')).toEqual(['100 percent']);
    });

    it('are found by a name whose case-folded form is three times as long', async () => {
      const name = 'ﬃ'.repeat(100);
      await fixture.group(name);
      expect(await search('IFF')).toEqual([name]);
    });

    it('are found by their new name after renaming', async () => {
      const id = await fixture.group('Alt');
      await fixture.admin.put(`${GROUPS}/${id}`, { name: 'NEU' });
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
    ])('reject %s with "%s"', async (query, message) => {
      const response = await fixture.admin.get(`${GROUPS}?${query}`);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });
  });
});
