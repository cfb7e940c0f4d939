import { DeviceFixture } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = '/api/admin/devices';
const EXPORT = `${DEVICES}/export`;

describe('The export of devices', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const rowsOf = async (query = ''): Promise<{ serial_no: string }[]> =>
    (await fixture.admin.get(`${EXPORT}?${query}`)).text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { serial_no: string });
  const serialsOf = async (query: string) => (await rowsOf(query)).map(({ serial_no }) => serial_no);

  it('has one JSON record per line, as in the list', async () => {
    const first = await fixture.device('门口机', { serial_no: 'SN-1' });
    await fixture.device('Spare');
    await fixture.group('1 单元', { device_ids: [first] });
    const { items } = (await fixture.admin.get(DEVICES)).body.data;
    const { status, headers } = await fixture.admin.get(EXPORT);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="devices.ndjson"',
    });
    expect(await rowsOf()).toEqual(items);
    expect(items).toHaveLength(2);
  });

  it('has CSV with one column per field, without formulas in names', async () => {
    const id = await fixture.device('=1+1', { serial_no: 'SN-1' });
    const group = await fixture.group('A', { device_ids: [id] });
    const [head, line, ...rest] = (await fixture.admin.get(`${EXPORT}?format=csv`)).text.split('\r\n');
    expect(head).toBe(
      '\uFEFFid,name,serial_no,status,created_at,user_id,online,last_seen_at,version,battery,groups,group_ids,group_path',
    );
    expect(line?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'then')).toBe(
      `${id},'=1+1,SN-1,1,then,,false,,,,"[{""id"":${group},""name"":""A"",""path"":[]}]",${group},A`,
    );
    expect(rest).toEqual(['']);
    const [device = {}] = await rowsOf();
    expect(head?.slice(1).split(',')).toEqual([...Object.keys(device), 'group_ids', 'group_path']);
  });

  it('contains the group ids and paths of a device in CSV', async () => {
    const garden = await fixture.group('Garden/Park');
    const building = await fixture.group('Building | 1', { parent_id: garden });
    const id = await fixture.device('Door', { serial_no: 'SN-1' });
    const other = await fixture.group('\\', { device_ids: [id] });
    await fixture.admin.post(`/api/admin/device-groups/${building}/devices`, { device_ids: [id] });
    const [, line = ''] = (await fixture.admin.get(`${EXPORT}?format=csv`)).text.split('\r\n');
    const [ids, path] = line.split(',').slice(-2);
    expect([ids, path]).toEqual([`${building}|${other}`, String.raw`Garden\/Park/Building \| 1|\\`]);
  });

  it('contains each of many devices once, and applies the filters of the list', async () => {
    const lines = Array.from(
      { length: 1_203 },
      (_, index) => `SN-${String(index).padStart(4, '0')},D,${index % 2}`,
    );
    const csv = fixture.admin.with({ 'content-type': 'text/csv' });
    await csv.post(`${DEVICES}/import`, `serial_no,name,status\n${lines.join('\n')}`);
    const serials = await serialsOf('');
    expect(serials).toHaveLength(1_203);
    expect(new Set(serials).size).toBe(1_203);
    expect([serials[0], serials[1_202]]).toEqual(['SN-0000', 'SN-1202']);
    expect(await serialsOf('keyword=sn-000&status=1')).toEqual([
      'SN-0001',
      'SN-0003',
      'SN-0005',
      'SN-0007',
      'SN-0009',
    ]);
    expect(await serialsOf('online=1')).toEqual([]);
    expect(await serialsOf('ungrouped=1&from=2100-01-01')).toEqual([]);
  });

  it('returns errors in the envelope', async () => {
    for (const [query, message] of [
      ['format=xml', 'format 取值无效'],
      ['status=2', 'status 取值无效'],
    ] as const) {
      const { status, body } = await fixture.admin.get(`${EXPORT}?${query}`);
      expect([status, body]).toEqual([422, { code: 422, message, data: null }]);
    }
  });
});
