import { Estate, UNKNOWN_ID } from '../support/estate';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const COUNTS = `${GROUPS}/device-counts`;
const DEVICES = '/api/admin/devices';

const count = (id: number | undefined, device_count: number, total_device_count: number) => ({
  id,
  device_count,
  total_device_count,
});

describe('The devices of groups, counted', () => {
  let test: TestApp;
  let estate: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
  });
  beforeEach(() => estate.clear());
  afterAll(() => test?.close());

  const ask = (headers: Record<string, string> = {}) => estate.admin.with(headers).get(COUNTS);
  const counts = async () => (await ask()).body.data;
  const put = (group: number | undefined, ...device_ids: (number | undefined)[]) =>
    estate.admin.post(`${GROUPS}/${group}/devices`, { device_ids });
  const take = (group: number | undefined, ...device_ids: (number | undefined)[]) =>
    estate.admin.delete(`${GROUPS}/${group}/devices`, { device_ids });

  it('are an empty list without devices', async () => {
    await estate.group('A');
    const answer = await ask();
    expect(answer.text).toBe('{"code":0,"message":"操作成功","data":[]}');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('are of the group itself and of the whole branch, each device once, where there are any', async () => {
    const [one, two, three] = await estate.devices(3);
    const [top, middle, low] = await estate.chain(['A', 'B', 'C']);
    const side = await estate.group('D', { parent_id: top });
    await estate.group('E');
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

  it('are in lists and in single groups too', async () => {
    const ids = await estate.devices(2);
    const [top, low] = await estate.chain(['A', 'B']);
    await put(low, ...ids);
    expect((await estate.admin.get(GROUPS)).body.data.items).toMatchObject([
      count(top, 0, 2),
      count(low, 2, 2),
    ]);
    expect((await estate.admin.get(`${GROUPS}?parent_id=${top}`)).body.data.items).toMatchObject([
      count(low, 2, 2),
    ]);
    expect((await estate.admin.get(`${GROUPS}/${top}`)).body.data).toMatchObject(count(top, 0, 2));
    expect((await estate.admin.put(`${GROUPS}/${top}`, { name: 'C' })).body.data).toMatchObject(
      count(top, 0, 2),
    );
  });

  it('follow every change at once', async () => {
    const [one, two, three] = await estate.devices(3);
    const [a, b] = [await estate.group('A', { device_ids: [one, two] }), await estate.group('B')];
    const low = await estate.group('C', { parent_id: a, device_ids: [three] });
    expect(await counts()).toEqual([count(a, 2, 3), count(low, 1, 1)]);
    await estate.admin.put(`${GROUPS}/${low}`, { parent_id: b });
    expect(await counts()).toEqual([count(a, 2, 2), count(b, 0, 1), count(low, 1, 1)]);
    await take(a, one);
    expect(await counts()).toEqual([count(a, 1, 1), count(b, 0, 1), count(low, 1, 1)]);
    await put(a, three);
    await estate.admin.delete(`${DEVICES}/${two}`);
    expect(await counts()).toEqual([count(a, 1, 1), count(b, 0, 1), count(low, 1, 1)]);
    await estate.admin.delete(DEVICES, { device_ids: [three] });
    expect(await counts()).toEqual([]);
  });

  it('are known by their ETag until they change, and again when a change is undone', async () => {
    const [one, two] = await estate.devices(2);
    const group = await estate.group('A', { device_ids: [one] });
    const { etag } = (await ask()).headers as { etag: string };
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    const known = await ask({ 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
    await put(group, two);
    expect((await ask({ 'if-none-match': etag })).status).toBe(200);
    await take(group, two);
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    await put(group, one);
    await estate.admin.put(`${GROUPS}/${group}`, { name: 'B' });
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask()).headers['cache-control']).toBe('private, no-cache');
  });

  it('leave the bytes of the tree alone', async () => {
    const ids = await estate.devices(1);
    const group = await estate.group('A');
    const before = await estate.admin.get(`${GROUPS}/tree`);
    await put(group, ...ids);
    const after = await estate.admin.get(`${GROUPS}/tree`);
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
    expect(after.body.data[0]).not.toHaveProperty('device_count');
  });

  it('are refused to nobody’s groups: taking devices out of an unknown one is a 404', async () => {
    const [one] = await estate.devices(1);
    for (const answer of [await take(UNKNOWN_ID, one), await put(UNKNOWN_ID, one)])
      expect(answer.body).toEqual({ code: 404, message: '分组不存在', data: null });
    const group = await estate.group('A');
    expect((await take(group, one)).body.code).toBe(0);
  });

  it('are what another instance has made of them, and right in the middle of changes', async () => {
    const other = await createTestApp({ database: test.database });
    const there = await Estate.of(other);
    const ids = await estate.devices(6);
    const [top, left, right] = [await estate.group('A'), await estate.group('B'), await estate.group('C')];
    await estate.admin.put(`${GROUPS}/${left}`, { parent_id: top });
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
      const inLeft = await estate.idsIn(left);
      const inTop = await estate.idsIn(top, 'per_page=100&recursive=1');
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
