import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const rejection = (message: string) => ({ code: 422, message, data: null });

describe('The positions of device groups', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const place = async (id: number | undefined, body: object) =>
    (await fixture.admin.put(`${GROUPS}/${id}/position`, body)).body;
  const move = async (body: object) => (await fixture.admin.post(`${GROUPS}/move`, body)).body;
  const childrenOf = async (parent = 0): Promise<[string, number][]> =>
    (await fixture.admin.get(`${GROUPS}?per_page=100&parent_id=${parent}`)).body.data.items.map(
      ({ name, sort_order }: { name: string; sort_order: number }) => [name, sort_order],
    );
  const namesOf = async (parent = 0): Promise<string> =>
    (await childrenOf(parent)).map(([name]) => name).join('');
  /** Creates root groups, all with the same `sort_order`. */
  const row = async (...names: string[]): Promise<number[]> => {
    const ids: number[] = [];
    for (const name of names) ids.push(await fixture.group(name));
    return ids;
  };

  describe('of one group', () => {
    it('are next to the given group, with siblings ten apart', async () => {
      const [, b, c, d] = await row('A', 'B', 'C', 'D');
      const response = await place(d, { before_id: b });
      expect(response).toMatchObject({
        code: 0,
        message: '操作成功',
        data: {
          id: d,
          name: 'D',
          parent_id: null,
          sort_order: 20,
          device_count: 0,
          child_count: 0,
          path: [],
        },
      });
      expect(await childrenOf()).toEqual([
        ['A', 10],
        ['D', 20],
        ['B', 30],
        ['C', 40],
      ]);
      await place(b, { after_id: c });
      expect(await namesOf()).toBe('ADCB');
      await place(d, {});
      expect(await namesOf()).toBe('ACBD');
      await place(d, { parent_id: null, before_id: null, after_id: null });
      expect(await namesOf()).toBe('ACBD');
    });

    it('are in another group, with the subtree', async () => {
      const [a, b] = await row('A', 'B');
      const [c] = await fixture.nestedGroups(['C', 'D']);
      const e = await fixture.group('E', { parent_id: b });
      expect((await place(c, { parent_id: b, before_id: e })).data).toMatchObject({
        parent_id: b,
        path: [{ id: b, name: 'B' }],
        sort_order: 10,
      });
      expect(await fixture.treeShape()).toEqual([
        ['A', []],
        [
          'B',
          [
            ['C', [['D', []]]],
            ['E', []],
          ],
        ],
      ]);
      await place(c, { parent_id: null, after_id: a });
      expect(await namesOf()).toBe('ACB');
    });

    it('are checked like moves, and for the sibling', async () => {
      const [a, b] = await row('A', 'B');
      const below = await fixture.group('C', { parent_id: a });
      const unknown = { code: 404, message: '分组不存在', data: null };
      expect(await place(UNKNOWN_ID, {})).toEqual(unknown);
      expect(await place(a, { parent_id: UNKNOWN_ID })).toEqual(rejection('上级分组不存在'));
      expect(await place(a, { parent_id: a })).toEqual(rejection('不能移动到自身或下级分组'));
      expect(await place(a, { parent_id: below })).toEqual(rejection('不能移动到自身或下级分组'));
      expect(await place(a, { before_id: a })).toEqual(rejection('before_id 取值无效'));
      expect(await place(a, { after_id: a })).toEqual(rejection('after_id 取值无效'));
      expect(await place(a, { before_id: below })).toEqual(rejection('before_id 取值无效'));
      expect(await place(a, { after_id: UNKNOWN_ID })).toEqual(rejection('after_id 取值无效'));
      expect(await place(a, { before_id: b, after_id: b })).toEqual(rejection('after_id 取值无效'));
      expect(await place(a, { parent_id: 0 })).toEqual(rejection('parent_id 不能小于 1'));
      expect(await place(a, { before_id: 'x' })).toEqual(rejection('before_id 必须是整数'));
      const chain = await fixture.nestedGroups(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
      expect(await place(a, { parent_id: chain[8] })).toEqual(rejection('分组层级不能超过 10 级'));
      expect(await childrenOf()).toEqual([
        ['A', 0],
        ['B', 0],
        ['1', 0],
      ]);
    });

    it('change the tree and its ETag', async () => {
      const [a] = await row('A', 'B');
      const before = (await fixture.admin.get(`${GROUPS}/tree`)).headers.etag;
      await place(a, {});
      const after = await fixture.admin.get(`${GROUPS}/tree`);
      expect(after.headers.etag).not.toBe(before);
      expect(after.body.data.map(({ name }: { name: string }) => name)).toEqual(['B', 'A']);
    });

    it('are all stored when several moves run concurrently', async () => {
      const ids = await row('A', 'B', 'C', 'D', 'E', 'F');
      for (let round = 0; round < 20; round += 1) {
        const responses = await Promise.all(
          ids.map((id, index) => place(id, { before_id: ids[(index + 1 + (round % 5)) % 6] })),
        );
        expect(responses.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
        const children = await childrenOf();
        expect(
          children
            .map(([name]) => name)
            .toSorted()
            .join(''),
        ).toBe('ABCDEF');
        expect(children.map(([, sort_order]) => sort_order)).toEqual([10, 20, 30, 40, 50, 60]);
      }
    });
  });

  describe('of several groups', () => {
    it('are consecutive, in the given order', async () => {
      const [a, b, c, d] = await row('A', 'B', 'C', 'D');
      expect(await move({ group_ids: [d, a, d], before_id: c })).toEqual({
        code: 0,
        message: '操作成功',
        data: { affected: 2 },
      });
      expect(await childrenOf()).toEqual([
        ['B', 10],
        ['D', 20],
        ['A', 30],
        ['C', 40],
      ]);
      await move({ group_ids: [c, b], after_id: d });
      expect(await namesOf()).toBe('DCBA');
      expect((await move({ group_ids: [c, b], after_id: d })).data).toEqual({ affected: 0 });
    });

    it('are in another group, from any former parents', async () => {
      const [a, b] = await row('A', 'B');
      const [c, d] = await fixture.nestedGroups(['C', 'D']);
      const inB = await fixture.group('E', { parent_id: b });
      expect((await move({ group_ids: [d, a], parent_id: b, before_id: inB })).data).toEqual({ affected: 2 });
      expect(await namesOf(b)).toBe('DAE');
      expect(await namesOf()).toBe('BC');
      expect((await move({ group_ids: [a, d], parent_id: null })).data).toEqual({ affected: 2 });
      expect(await namesOf()).toBe('BCAD');
      expect(await namesOf(c)).toBe('');
    });

    it('change for all or for none', async () => {
      const [a, b] = await row('A', 'B');
      const [c, d, e] = await fixture.nestedGroups(['C', 'D', 'E']);
      const shape = await fixture.treeShape();
      expect(await move({ group_ids: [a, UNKNOWN_ID, UNKNOWN_ID + 1], parent_id: b })).toEqual(
        rejection(`分组不存在: ${UNKNOWN_ID}, ${UNKNOWN_ID + 1}`),
      );
      expect(await move({ group_ids: [a, e, c], parent_id: b })).toEqual(rejection('group_ids 取值无效'));
      expect(await move({ group_ids: [a, c], parent_id: d })).toEqual(rejection('不能移动到自身或下级分组'));
      expect(await move({ group_ids: [a, d], parent_id: UNKNOWN_ID })).toEqual(rejection('上级分组不存在'));
      expect(await move({ group_ids: [a, d], parent_id: b, before_id: a })).toEqual(
        rejection('before_id 取值无效'),
      );
      expect(await move({ group_ids: [a, d], parent_id: b, after_id: c })).toEqual(
        rejection('after_id 取值无效'),
      );
      expect(await move({ group_ids: [a, b], before_id: c, after_id: c })).toEqual(
        rejection('after_id 取值无效'),
      );
      expect(await move({ group_ids: [a, d], before_id: c })).toEqual(rejection('parent_id 字段不能为空'));
      expect(await fixture.treeShape()).toEqual(shape);
      const deep = await fixture.nestedGroups(['2', '3', '4', '5', '6', '7', '8'], b);
      expect(await move({ group_ids: [a, c], parent_id: deep[6] })).toEqual(
        rejection('分组层级不能超过 10 级'),
      );
      expect(await namesOf()).toBe('ABC');
    });

    it.each([
      [{}, 'group_ids 字段不能为空'],
      [{ group_ids: [] }, 'group_ids 字段不能为空'],
      [{ group_ids: 'x' }, 'group_ids 必须是数组'],
      [{ group_ids: [1.5] }, 'group_ids 取值无效'],
      [{ group_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'group_ids 数量不能超过 500'],
      [{ group_ids: [1], parent_id: 'x' }, 'parent_id 必须是整数'],
    ])('are rejected when invalid: %#', async (body, message) => {
      expect(await move(body)).toEqual(rejection(message));
    });

    it('are accepted for 500 groups', async () => {
      const parent = await fixture.group('P');
      const ids: number[] = [];
      for (let index = 0; index < 500; index += 1) ids.push(await fixture.group(`G${index}`));
      expect((await move({ group_ids: ids.toReversed(), parent_id: parent })).data).toEqual({
        affected: 500,
      });
      const first = await childrenOf(parent);
      expect(first.slice(0, 2)).toEqual([
        ['G499', 10],
        ['G498', 20],
      ]);
      expect((await fixture.admin.get(`${GROUPS}?parent_id=${parent}`)).body.data.pagination.total).toBe(500);
    });
  });
});
