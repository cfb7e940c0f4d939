import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DemoDevices } from '../../src/demo/demo-devices';
import { DeviceFixture } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const TREE = '/api/admin/device-groups/tree';
const GROUPS = '/api/admin/device-groups';

describe('GET /api/admin/device-groups/tree', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const ask = (headers: Record<string, string> = {}) => fixture.admin.with(headers).get(TREE);
  const raw = (encoding: string) =>
    test.app.inject({
      method: 'GET',
      url: TREE,
      headers: { ...fixture.admin.headers, 'accept-encoding': encoding },
    });

  it('returns an empty list without groups', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.text).toBe('{"code":0,"message":"操作成功","data":[]}');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has every node with exactly the fields of the original operation, leaves with no children', async () => {
    const a = await fixture.group('A', { description: 'a', sort_order: 2 });
    const b = await fixture.group('B', { parent_id: a });
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

  it('sorts the children of every node by sort_order, then id', async () => {
    const a = await fixture.group('A', { sort_order: 1 });
    await fixture.group('B', { sort_order: -1 });
    await fixture.group('C', { sort_order: 1 });
    await fixture.group('A1', { parent_id: a, sort_order: 7 });
    await fixture.group('A2', { parent_id: a, sort_order: -7 });
    await fixture.group('A3', { parent_id: a, sort_order: 7 });
    expect(await fixture.treeShape()).toEqual([
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

  it('returns ten levels', async () => {
    await fixture.nestedGroups(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    const { text } = await ask();
    expect(text.match(/"children":\[/g)).toHaveLength(10);
  });

  it('returns every kind of change immediately', async () => {
    const a = await fixture.group('A');
    const b = await fixture.group('B');
    expect(await fixture.treeShape()).toHaveLength(2);
    await fixture.admin.put(`${GROUPS}/${b}`, { parent_id: a });
    expect(await fixture.treeShape()).toEqual([['A', [['B', []]]]]);
    await fixture.admin.put(`${GROUPS}/${b}`, { name: 'C' });
    expect(await fixture.treeShape()).toEqual([['A', [['C', []]]]]);
    await fixture.admin.put(`${GROUPS}/${b}`, { status: 0, sort_order: 3, description: 'd' });
    const [root] = (await ask()).body.data;
    expect(root.children[0]).toMatchObject({ status: 0, sort_order: 3, description: 'd' });
    await fixture.admin.delete(`${GROUPS}/${b}`);
    expect(await fixture.treeShape()).toEqual([['A', []]]);
  });

  describe('with If-None-Match', () => {
    it('returns 304 without a body until something changes', async () => {
      await fixture.group('A');
      const { etag } = (await ask()).headers as { etag: string };
      expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const response = await ask({ 'if-none-match': known });
        expect(response.status).toBe(304);
        expect(response.text).toBe('');
        expect(response.headers.etag).toBe(etag);
      }
      expect((await ask({ 'if-none-match': 'W/"other"' })).status).toBe(200);
    });

    it('returns 200 after a change, and 304 again when it is reverted', async () => {
      const a = await fixture.group('A');
      const before = (await ask()).headers.etag as string;
      await fixture.admin.put(`${GROUPS}/${a}`, { name: 'B' });
      const changed = await ask({ 'if-none-match': before });
      expect(changed.status).toBe(200);
      expect(changed.body.data[0].name).toBe('B');
      expect(changed.headers.etag).not.toBe(before);
      await fixture.admin.put(`${GROUPS}/${a}`, { name: 'A' });
      expect((await ask({ 'if-none-match': before })).status).toBe(304);
    });

    it('is private, and revalidated by clients', async () => {
      const response = await ask();
      expect(response.headers['cache-control']).toBe('private, no-cache');
      expect(response.headers.vary).toMatch(/accept-encoding/i);
    });
  });

  describe('compressed', () => {
    beforeEach(async () => {
      for (let index = 0; index < 30; index += 1) await fixture.group(`分组 ${index}`);
    });

    it.each([
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
      ['gzip;q=1.0', 'gzip', gunzipSync],
    ] as const)(
      'returns the same content to a client that accepts %s',
      async (accepted, encoding, decompress) => {
        const plain = await ask();
        expect(plain.headers['content-encoding']).toBeUndefined();
        for (const response of [await raw(accepted), await raw(accepted)]) {
          expect(response.headers['content-encoding']).toBe(encoding);
          expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
          expect(response.headers.etag).toBe(plain.headers.etag);
          expect(response.headers.vary).toMatch(/accept-encoding/i);
          expect(decompress(response.rawPayload).toString()).toBe(plain.text);
          expect(response.rawPayload.length).toBeLessThan(plain.text.length / 3);
        }
      },
    );

    it.each(['identity', 'br;q=0', 'gzip;q=0.0, br;q=0', 'brotli'])(
      'is uncompressed for a client that accepts %s',
      async (accepted) => {
        const response = await raw(accepted);
        expect(response.headers['content-encoding']).toBeUndefined();
        expect(JSON.parse(response.payload).data).toHaveLength(30);
      },
    );
  });

  it('is current on every instance', async () => {
    const other = await createTestApp({ database: test.database });
    const there = await DeviceFixture.create(other);
    for (let index = 1; index <= 5; index += 1) {
      await fixture.group(`A${index}`);
      expect(await there.treeShape()).toHaveLength(index * 2 - 1);
      await there.group(`B${index}`);
      expect(await fixture.treeShape()).toHaveLength(index * 2);
    }
    const etag = (await ask()).headers.etag as string;
    expect((await there.admin.with({ 'if-none-match': etag }).get(TREE)).status).toBe(304);
    await other.close();
  });

  describe('of the demo data', () => {
    it('is created once by concurrent requests, and only in an empty tree', async () => {
      const demo = test.app.get(DemoDevices, { strict: false });
      const planted = await Promise.all([demo.seed(), demo.seed(), demo.seed()]);
      expect(planted.filter(Boolean)).toHaveLength(1);
      expect(await fixture.treeShape()).toEqual([
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
      expect(await fixture.deviceIds(garden.id, 'recursive=1')).toHaveLength(9);
      const spare = await fixture.admin.get('/api/admin/devices?ungrouped=1');
      expect(spare.body.data.items).toEqual([expect.objectContaining({ serial_no: 'SPARE-001' })]);
    });

    it('leaves existing devices and groups unchanged', async () => {
      const demo = test.app.get(DemoDevices, { strict: false });
      await fixture.devices(1);
      expect(await demo.seed()).toBe(false);
      await fixture.clear();
      await fixture.group('A');
      expect(await demo.seed()).toBe(false);
      expect(await fixture.treeShape()).toEqual([['A', []]]);
    });
  });
});
