import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const COUNTS = `${GROUPS}/device-counts`;
const DEVICES = '/api/admin/devices';

const count = (id: number | undefined, device_count: number, total_device_count: number) => ({
  id,
  device_count,
  total_device_count,
});

describe('Device counts of groups', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const ask = (headers: Record<string, string> = {}) => fixture.admin.with(headers).get(COUNTS);
  const counts = async () => (await ask()).body.data;
  const put = (group: number | undefined, ...device_ids: (number | undefined)[]) =>
    fixture.admin.post(`${GROUPS}/${group}/devices`, { device_ids });
  const take = (group: number | undefined, ...device_ids: (number | undefined)[]) =>
    fixture.admin.delete(`${GROUPS}/${group}/devices`, { device_ids });

  it('are empty without devices', async () => {
    await fixture.group('A');
    const response = await ask();
    expect(response.text).toBe('{"code":0,"message":"操作成功","data":[]}');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('count devices in the group and in its subtree, each once, for non-empty groups', async () => {
    const [one, two, three] = await fixture.devices(3);
    const [top, middle, low] = await fixture.nestedGroups(['A', 'B', 'C']);
    const side = await fixture.group('D', { parent_id: top });
    await fixture.group('E');
    await put(low, one, two);
    await put(side, two, three);
    await put(top, two);
    expect(await counts()).toEqual([
      count(top, 1, 3),
      count(middle, 0, 2),
      count(low, 2, 2),
      count(side, 2, 2),
    ]);
  });

  it('are part of lists and single groups', async () => {
    const ids = await fixture.devices(2);
    const [top, low] = await fixture.nestedGroups(['A', 'B']);
    await put(low, ...ids);
    expect((await fixture.admin.get(GROUPS)).body.data.items).toMatchObject([
      count(top, 0, 2),
      count(low, 2, 2),
    ]);
    expect((await fixture.admin.get(`${GROUPS}?parent_id=${top}`)).body.data.items).toMatchObject([
      count(low, 2, 2),
    ]);
    expect((await fixture.admin.get(`${GROUPS}/${top}`)).body.data).toMatchObject(count(top, 0, 2));
    expect((await fixture.admin.put(`${GROUPS}/${top}`, { name: 'C' })).body.data).toMatchObject(
      count(top, 0, 2),
    );
  });

  it('change immediately after each change', async () => {
    const [one, two, three] = await fixture.devices(3);
    const [a, b] = [await fixture.group('A', { device_ids: [one, two] }), await fixture.group('B')];
    const low = await fixture.group('C', { parent_id: a, device_ids: [three] });
    expect(await counts()).toEqual([count(a, 2, 3), count(low, 1, 1)]);
    await fixture.admin.put(`${GROUPS}/${low}`, { parent_id: b });
    expect(await counts()).toEqual([count(a, 2, 2), count(b, 0, 1), count(low, 1, 1)]);
    await take(a, one);
    expect(await counts()).toEqual([count(a, 1, 1), count(b, 0, 1), count(low, 1, 1)]);
    await put(a, three);
    await fixture.admin.delete(`${DEVICES}/${two}`);
    expect(await counts()).toEqual([count(a, 1, 1), count(b, 0, 1), count(low, 1, 1)]);
    await fixture.admin.delete(DEVICES, { device_ids: [three] });
    expect(await counts()).toEqual([]);
  });

  it('keep their ETag until they change, and get it back when a change is reverted', async () => {
    const [one, two] = await fixture.devices(2);
    const group = await fixture.group('A', { device_ids: [one] });
    const { etag } = (await ask()).headers as { etag: string };
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    const known = await ask({ 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
    await put(group, two);
    expect((await ask({ 'if-none-match': etag })).status).toBe(200);
    await take(group, two);
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    await put(group, one);
    await fixture.admin.put(`${GROUPS}/${group}`, { name: 'B' });
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask()).headers['cache-control']).toBe('private, no-cache');
  });

  it('do not change the response of the tree', async () => {
    const ids = await fixture.devices(1);
    const group = await fixture.group('A');
    const before = await fixture.admin.get(`${GROUPS}/tree`);
    await put(group, ...ids);
    const after = await fixture.admin.get(`${GROUPS}/tree`);
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
    expect(after.body.data[0]).not.toHaveProperty('device_count');
  });

  it('are unaffected by removing devices from an unknown group, which returns 404', async () => {
    const [one] = await fixture.devices(1);
    for (const response of [await take(UNKNOWN_ID, one), await put(UNKNOWN_ID, one)])
      expect(response.body).toEqual({ code: 404, message: '分组不存在', data: null });
    const group = await fixture.group('A');
    expect((await take(group, one)).body.code).toBe(0);
  });

  it('are current on every instance, also during changes', async () => {
    const other = await createTestApp({ database: test.database });
    const there = await DeviceFixture.create(other);
    const ids = await fixture.devices(6);
    const [top, left, right] = [await fixture.group('A'), await fixture.group('B'), await fixture.group('C')];
    await fixture.admin.put(`${GROUPS}/${left}`, { parent_id: top });
    for (let round = 0; round < 15; round += 1) {
      await Promise.all([
        put(left, ...ids.slice(0, 4)),
        there.admin.post(`${GROUPS}/${right}/devices`, { device_ids: ids.slice(2) }),
        there.admin.put(`${GROUPS}/${right}`, { parent_id: round % 2 === 0 ? top : null }),
        take(left, ids[round % 4]),
        ask(),
        there.admin.get(COUNTS),
        there.admin.get(`${GROUPS}?per_page=2`),
      ]);
      const inLeft = await fixture.deviceIds(left);
      const inTop = await fixture.deviceIds(top, 'per_page=100&recursive=1');
      const expected = [
        count(top, 0, inTop.length),
        count(left, inLeft.length, inLeft.length),
        count(right, 4, 4),
      ];
      expect(await counts()).toEqual(expected);
      expect((await there.admin.get(COUNTS)).body.data).toEqual(expected);
    }
    await other.close();
  });
});
