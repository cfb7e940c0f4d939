import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DemoDevices } from '../../src/demo/demo-devices';
import { Estate } from '../support/estate';
import { createTestApp, type TestApp } from '../support/test-app';

const TREE = '/api/admin/device-groups/tree';
const GROUPS = '/api/admin/device-groups';

describe('The tree of device groups', () => {
  let test: TestApp;
  let estate: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
  });
  beforeEach(() => estate.clear());
  afterAll(() => test?.close());

  const ask = (headers: Record<string, string> = {}) => estate.admin.with(headers).get(TREE);
  const raw = (encoding: string) =>
    test.app.inject({
      method: 'GET',
      url: TREE,
      headers: { ...estate.admin.headers, 'accept-encoding': encoding },
    });

  it('is for administrators alone', async () => {
    const answer = await test.api.get(TREE);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
    expect((await (await test.api.as({ id: 2 })).get(TREE)).body.code).toBe(403);
  });

  it('is an empty list without groups', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"code":0,"message":"操作成功","data":[]}');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has every node with exactly the fields of the original operation, leaves with no children', async () => {
    const a = await estate.group('A', { description: 'a', sort_order: 2 });
    const b = await estate.group('B', { parent_id: a });
    const { body } = await ask();
    const leaf = { id: b, name: 'B', description: '', parent_id: a, sort_order: 0, status: 1, children: [] };
    expect(body).toEqual({
      code: 0,
      message: '操作成功',
      data: [
        { id: a, name: 'A', description: 'a', parent_id: null, sort_order: 2, status: 1, children: [leaf] },
      ],
    });
  });

  it('orders the children of every node by sort_order, then id', async () => {
    const a = await estate.group('A', { sort_order: 1 });
    await estate.group('B', { sort_order: -1 });
    await estate.group('C', { sort_order: 1 });
    await estate.group('A1', { parent_id: a, sort_order: 7 });
    await estate.group('A2', { parent_id: a, sort_order: -7 });
    await estate.group('A3', { parent_id: a, sort_order: 7 });
    expect(await estate.shape()).toEqual([
      ['B', []],
      [
        'A',
        [
          ['A2', []],
          ['A1', []],
          ['A3', []],
        ],
      ],
      ['C', []],
    ]);
  });

  it('goes down ten levels', async () => {
    await estate.chain(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    const { text } = await ask();
    expect(text.match(/"children":\[/g)).toHaveLength(10);
  });

  it('shows every kind of change at once', async () => {
    const a = await estate.group('A');
    const b = await estate.group('B');
    expect(await estate.shape()).toHaveLength(2);
    await estate.admin.put(`${GROUPS}/${b}`, { parent_id: a });
    expect(await estate.shape()).toEqual([['A', [['B', []]]]]);
    await estate.admin.put(`${GROUPS}/${b}`, { name: 'C' });
    expect(await estate.shape()).toEqual([['A', [['C', []]]]]);
    await estate.admin.put(`${GROUPS}/${b}`, { status: 0, sort_order: 3, description: 'd' });
    const [root] = (await ask()).body.data;
    expect(root.children[0]).toMatchObject({ status: 0, sort_order: 3, description: 'd' });
    await estate.admin.delete(`${GROUPS}/${b}`);
    expect(await estate.shape()).toEqual([['A', []]]);
  });

  describe('asked for again', () => {
    it('is a 304 without a body as long as nothing has changed', async () => {
      await estate.group('A');
      const { etag } = (await ask()).headers as { etag: string };
      expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const answer = await ask({ 'if-none-match': known });
        expect(answer.status).toBe(304);
        expect(answer.text).toBe('');
        expect(answer.headers.etag).toBe(etag);
      }
      expect((await ask({ 'if-none-match': 'W/"other"' })).status).toBe(200);
    });

    it('is new after a change, and known again when that is undone', async () => {
      const a = await estate.group('A');
      const before = (await ask()).headers.etag as string;
      await estate.admin.put(`${GROUPS}/${a}`, { name: 'B' });
      const changed = await ask({ 'if-none-match': before });
      expect(changed.status).toBe(200);
      expect(changed.body.data[0].name).toBe('B');
      expect(changed.headers.etag).not.toBe(before);
      await estate.admin.put(`${GROUPS}/${a}`, { name: 'A' });
      expect((await ask({ 'if-none-match': before })).status).toBe(304);
    });

    it('is private and checked every time', async () => {
      const answer = await ask();
      expect(answer.headers['cache-control']).toBe('private, no-cache');
      expect(answer.headers.vary).toMatch(/accept-encoding/i);
    });
  });

  describe('compressed', () => {
    beforeEach(async () => {
      for (let index = 0; index < 30; index += 1) await estate.group(`分组 ${index}`);
    });

    it.each([
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
      ['gzip;q=1.0', 'gzip', gunzipSync],
    ] as const)(
      'is what it is without, for a client that accepts %s',
      async (accepted, encoding, decompress) => {
        const plain = await ask();
        expect(plain.headers['content-encoding']).toBeUndefined();
        for (const answer of [await raw(accepted), await raw(accepted)]) {
          expect(answer.headers['content-encoding']).toBe(encoding);
          expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
          expect(answer.headers.etag).toBe(plain.headers.etag);
          expect(answer.headers.vary).toMatch(/accept-encoding/i);
          expect(decompress(answer.rawPayload).toString()).toBe(plain.text);
          expect(answer.rawPayload.length).toBeLessThan(plain.text.length / 3);
        }
      },
    );

    it.each(['identity', 'br;q=0', 'gzip;q=0.0, br;q=0', 'brotli'])(
      'is sent as it is to a client that accepts %s',
      async (accepted) => {
        const answer = await raw(accepted);
        expect(answer.headers['content-encoding']).toBeUndefined();
        expect(JSON.parse(answer.payload).data).toHaveLength(30);
      },
    );
  });

  it('is as new on every instance as the last change on any of them', async () => {
    const other = await createTestApp({ database: test.database });
    const there = await Estate.of(other);
    for (let index = 1; index <= 5; index += 1) {
      await estate.group(`A${index}`);
      expect(await there.shape()).toHaveLength(index * 2 - 1);
      await there.group(`B${index}`);
      expect(await estate.shape()).toHaveLength(index * 2);
    }
    const etag = (await ask()).headers.etag as string;
    expect((await there.admin.with({ 'if-none-match': etag }).get(TREE)).status).toBe(304);
    await other.close();
  });

  describe('of the demonstration', () => {
    it('is planted once, by one of those who try, and only where there is nothing', async () => {
      const demo = test.app.get(DemoDevices, { strict: false });
      const planted = await Promise.all([demo.seed(), demo.seed(), demo.seed()]);
      expect(planted.filter(Boolean)).toHaveLength(1);
      expect(await estate.shape()).toEqual([
        [
          '阳光花园',
          [
            [
              '1 号楼',
              [
                ['1 单元', []],
                ['2 单元', []],
              ],
            ],
            ['2 号楼', [['1 单元', []]]],
            ['出入口', []],
          ],
        ],
        [
          '科技园写字楼',
          [
            ['前台', []],
            ['会议室', []],
            ['仓库', []],
          ],
        ],
        [
          'Harbour Court',
          [
            ['Entrances', []],
            ['Third floor', []],
          ],
        ],
      ]);
      const [garden] = (await ask()).body.data;
      expect(await estate.idsIn(garden.id, 'recursive=1')).toHaveLength(9);
      const spare = await estate.admin.get('/api/admin/devices?ungrouped=1');
      expect(spare.body.data.items).toEqual([expect.objectContaining({ serial_no: 'SPARE-001' })]);
    });

    it('leaves a single device or group alone', async () => {
      const demo = test.app.get(DemoDevices, { strict: false });
      await estate.devices(1);
      expect(await demo.seed()).toBe(false);
      await estate.clear();
      await estate.group('A');
      expect(await demo.seed()).toBe(false);
      expect(await estate.shape()).toEqual([['A', []]]);
    });
  });
});
