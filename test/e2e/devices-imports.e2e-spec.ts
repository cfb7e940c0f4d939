import { setImmediate as nextTurn } from 'node:timers/promises';
import { auditRows } from '../support/audit/audit-rows';
import { createUsers, newUserIds } from '../support/calls';
import { onMysql } from '../support/database';
import { DeviceFixture } from '../support/device-fixture';
import { deviceOf } from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = '/api/admin/devices';
/** Imports of thousands of lines exceed the default on a slow machine. */
const env = { REQUEST_TIMEOUT_SECONDS: '600' };
const CSV = { 'content-type': 'text/csv' };

interface ImportedLine {
  line: number;
  result: string;
  message: string | null;
}

describe('Device imports from a file', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp({ env });
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const send = (file: string | Buffer, query = '', { admin } = fixture) =>
    admin.with(CSV).post(`${DEVICES}/import${query}`, file);
  const lines = async (file: string | Buffer, query = ''): Promise<[number, string][]> =>
    (await send(file, query)).body.data.lines.map(({ line, result, message }: ImportedLine) => [
      line,
      message ?? result,
    ]);
  const namesOf = async (): Promise<string[]> =>
    (await fixture.admin.get(`${DEVICES}?per_page=100`)).body.data.items.map(
      ({ serial_no, name }: { serial_no: string; name: string }) => `${serial_no} ${name}`,
    );

  it('add devices to one group, in addition to the given and current ones', async () => {
    const [a, b, target] = [
      await fixture.group('A'),
      await fixture.group('B'),
      await fixture.group('Target'),
    ];
    const known = await fixture.device('Known', { serial_no: 'SN-1' });
    await fixture.admin.post(`/api/admin/device-groups/${a}/devices`, { device_ids: [known] });
    const file = `serial_no,name,group_ids\nSN-1,Known,\nSN-2,New,${b}\nSN-3,New,`;
    const expected = [
      [2, 'updated'],
      [3, 'created'],
      [4, 'created'],
    ];
    expect(await lines(file, `?group_id=${target}&dry_run=1`)).toEqual(expected);
    expect(await lines(file, `?group_id=${target}`)).toEqual(expected);
    expect(await lines(file, `?group_id=${target}`)).toEqual(expected.map(([line]) => [line, 'unchanged']));
    const { items } = (await fixture.admin.get(DEVICES)).body.data;
    expect(
      items.map(({ serial_no, groups }: { serial_no: string; groups: { name: string }[] }) => [
        serial_no,
        groups.map(({ name }) => name),
      ]),
    ).toEqual([
      ['SN-1', ['A', 'Target']],
      ['SN-2', ['B', 'Target']],
      ['SN-3', ['Target']],
    ]);
    expect(await lines('serial_no,name\nSN-9,None', '?group_id=999999999')).toEqual([
      [2, '分组不存在: 999999999'],
    ]);
  });

  it('accept an exported file unchanged', async () => {
    const garden = await fixture.group('Garden/Park');
    const inside = await fixture.group('=Building | 1', { parent_id: garden });
    const grouped = await fixture.device("'=1+1;'@x", { serial_no: '-7' });
    const [user_id = 0] = newUserIds(1);
    await createUsers(test.api, user_id);
    await fixture.device('Free', { serial_no: 'SN-2', status: 0, user_id });
    for (const group of [garden, inside])
      await fixture.admin.post(`/api/admin/device-groups/${group}/devices`, { device_ids: [grouped] });
    const items = async () => (await fixture.admin.get(DEVICES)).body.data.items;
    const before = await items();
    const { text } = await fixture.admin.get(`${DEVICES}/export?format=csv`);
    const unchanged = [
      [2, 'unchanged'],
      [3, 'unchanged'],
    ];
    expect(await lines(text, '?dry_run=1')).toEqual(unchanged);
    expect(await lines(text)).toEqual(unchanged);

    // Without ids, the names identify the same groups.
    const byNames = text.replace(`${garden}|${inside}`, '');
    expect(byNames).not.toBe(text);
    expect(await lines(byNames)).toEqual(unchanged);
    for (const { id } of before) await fixture.admin.delete(`${DEVICES}/${id}`);
    expect(await lines(byNames)).toEqual([
      [2, 'created'],
      [3, 'created'],
    ]);
    const facts = (devices: Record<string, unknown>[]) =>
      devices.map(({ name, serial_no, status, user_id, groups }) => [
        name,
        serial_no,
        status,
        user_id,
        groups,
      ]);
    expect(facts(await items())).toEqual(facts(before));
  });

  it('reject a line whose group_path matches no group or several, unless it has group_ids', async () => {
    const group = await fixture.group('Twin');
    await fixture.group('Twin');
    const file = [
      'serial_no,name,group_path,group_ids',
      'SN-1,One,Nowhere,',
      'SN-2,Two,Twin,',
      `SN-3,Three,Nowhere,${group}`,
      ',Four,Nowhere,',
    ].join('\n');
    expect(await lines(file)).toEqual([
      [2, 'group_path 取值无效'],
      [3, 'group_path 取值无效'],
      [4, 'created'],
      [5, 'serial_no 字段不能为空'],
    ]);
    expect(await namesOf()).toEqual(['SN-3 Three']);
  });

  it('create, update, skip and reject devices line by line', async () => {
    const known = await fixture.device('Old', { serial_no: 'SN-1' });
    const [a, b] = [await fixture.group('A', { device_ids: [known] }), await fixture.group('B')];
    const file = [
      'serial_no,name,status,group_ids',
      `SN-1,New,0,${b}`,
      `SN-2,"Two, of ""many""",,${a}|${b}`,
      '',
      'SN-3,,,',
      ',Nameless,1,',
      'SN-4,Four,yes,',
      `SN-5,Five,1,${a}|x`,
      'SN-6,Six,1,999999999',
      'SN-2,Again,1,',
      'SN-7,Seven,1,,more',
      'SN-8,=1+1,1,',
    ].join('\r\n');
    const response = await send(file);
    const failed = (line: number, message: string) => ({ line, result: 'error', message });
    expect([response.status, response.body]).toEqual([
      200,
      {
        code: 0,
        message: '操作成功',
        data: {
          created: 2,
          updated: 1,
          unchanged: 0,
          failed: 7,
          lines: [
            { line: 2, result: 'updated', message: null },
            { line: 3, result: 'created', message: null },
            failed(5, 'name 字段不能为空'),
            failed(6, 'serial_no 字段不能为空'),
            failed(7, 'status 必须是整数'),
            failed(8, 'group_ids 取值无效'),
            failed(9, '分组不存在: 999999999'),
            failed(10, 'serial_no 取值无效'),
            failed(11, 'line 取值无效'),
            { line: 12, result: 'created', message: null },
          ],
        },
      },
    ]);
    expect(await namesOf()).toEqual(['SN-1 New', 'SN-2 Two, of "many"', 'SN-8 =1+1']);
    expect(await deviceOf(fixture, { id: known })).toMatchObject({ status: 0, groups: [{ id: b }] });
    expect((await auditRows(test)).at(-1)).toMatchObject({
      action: 'device.import',
      object_id: null,
      before: null,
      after: { created: 2, updated: 1, unchanged: 0, failed: 7 },
    });
  });

  it('only report in a dry run, and do afterwards what it reported', async () => {
    await fixture.device('Old', { serial_no: 'SN-1' });
    const before = await auditRows(test);
    const file = 'name,serial_no\nNew,SN-1\nTwo,SN-2\nTwo,SN-2\n,SN-3\n';
    const dry = await lines(file, '?dry_run=1');
    expect(dry).toEqual([
      [2, 'updated'],
      [3, 'created'],
      [4, 'serial_no 取值无效'],
      [5, 'name 字段不能为空'],
    ]);
    expect(await namesOf()).toEqual(['SN-1 Old']);
    expect(await auditRows(test)).toEqual(before);
    expect(await lines(file, '?dry_run=0')).toEqual(dry);
    expect(await namesOf()).toEqual(['SN-1 New', 'SN-2 Two']);
    expect((await send(file, '?dry_run=2')).body.message).toBe('dry_run 取值无效');
  });

  it('accept files of Excel, with a byte order mark or in GB18030', async () => {
    expect(await lines('\uFEFFserial_no,name\r\nSN-1,门口机\r\n')).toEqual([[2, 'created']]);
    const gb = Buffer.from('serial_no,name\r\nSN-2,@@\r\n');
    const at = gb.indexOf('@@');
    // 门口
    const file = Buffer.concat([
      gb.subarray(0, at),
      Buffer.from([0xc3, 0xc5, 0xbf, 0xda]),
      gb.subarray(at + 2),
    ]);
    expect(await lines(file)).toEqual([[2, 'created']]);
    expect(await namesOf()).toEqual(['SN-1 门口机', 'SN-2 门口']);
    const { body } = await send(Buffer.concat([gb, Buffer.from([0xff, 0xff])]));
    expect(body).toEqual({ code: 422, message: 'file 取值无效', data: null });
  });

  it('import ten thousand lines completely, while other requests are served', async () => {
    const groups = [await fixture.group('A'), await fixture.group('B')];
    const rows = Array.from(
      { length: 10_000 },
      (_, index) => `SN-${index},"Device ${index}, of the estate",1,${groups[index % 2]}`,
    );
    const file = `serial_no,name,status,group_ids\n${rows.join('\n')}\n`;
    let answered = 0;
    const over = new AbortController();
    const others = (async () => {
      for (;;) {
        // On SQLite a request can run within one turn of the event loop.
        await nextTurn();
        await fixture.admin.get('/api/admin/device-groups');
        if (over.signal.aborted) return;
        answered += 1;
      }
    })();
    const { data } = (await send(file).finally(() => over.abort())).body;
    await others;
    const { lines: reported, ...counts } = data;
    expect(counts).toEqual({ created: 10_000, updated: 0, unchanged: 0, failed: 0 });
    expect(reported.map(({ line }: ImportedLine) => line)).toEqual(
      Array.from({ length: 10_000 }, (_, index) => index + 2),
    );
    // The import is 50 transactions, and waiting requests run between them: sequential ones at least every fifth time.
    expect(answered).toBeGreaterThanOrEqual(10);
    expect((await fixture.admin.get(DEVICES)).body.data.pagination.total).toBe(10_000);
    expect((await fixture.admin.get(`/api/admin/device-groups/${groups[1]}`)).body.data.device_count).toBe(
      5_000,
    );
    const again = (await send(file)).body.data;
    expect([again.unchanged, again.failed]).toEqual([10_000, 0]);
    const repeated = (await send(`${file}SN-0,Once more,1,\n`)).body;
    expect(repeated.message).toBe('file 数量不能超过 10000');
  });

  it('create no duplicates when the same file is imported on two instances concurrently', async () => {
    const other = await createTestApp({ database: test.database, env });
    try {
      const there = await DeviceFixture.create(other);
      const rows = Array.from({ length: 600 }, (_, index) => `SN-${index},Device ${index}`);
      const head = 'serial_no,name\n';
      const responses = await Promise.all([
        send(head + rows.join('\n')),
        send(head + rows.toReversed().join('\n'), '', there),
      ]);
      const sum = (field: string): number =>
        responses.reduce((total, { body }) => total + body.data[field], 0);
      expect([sum('created'), sum('unchanged'), sum('failed')]).toEqual([600, 600, 0]);
      expect((await fixture.admin.get(DEVICES)).body.data.pagination.total).toBe(600);
    } finally {
      await other.close();
    }
  });

  it('write an audit row when a later batch fails', async () => {
    const before = (await auditRows(test)).length;
    const rows = Array.from({ length: 300 }, (_, index) => `SN-${index},Device ${index}`);
    await test.query(
      onMysql()
        ? "CREATE TRIGGER refuses BEFORE INSERT ON devices FOR EACH ROW BEGIN IF NEW.serial_no = 'SN-250' THEN SIGNAL SQLSTATE '45000'; END IF; END"
        : "CREATE TRIGGER refuses BEFORE INSERT ON devices WHEN NEW.serial_no = 'SN-250' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    try {
      const { body } = await send(`serial_no,name\n${rows.join('\n')}`);
      expect(body.code).toBe(500);
    } finally {
      await test.query('DROP TRIGGER refuses');
    }
    expect((await auditRows(test)).slice(before)).toEqual([
      expect.objectContaining({
        action: 'device.import',
        after: { created: 200, updated: 0, unchanged: 0, failed: 0 },
      }),
    ]);
    expect((await fixture.admin.get(DEVICES)).body.data.pagination.total).toBe(200);
  });
});
