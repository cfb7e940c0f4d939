import { Agent, get as httpGet, type IncomingHttpHeaders } from 'node:http';
import type { DataSource } from 'typeorm';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, measureInTurn, type Row, type Timing } from './measure';

const GROUPS = 10_000;
const DEVICES = 100_000;
const CHUNK = 1_000;

/** Number of children of each group, by level from the top. Every shape has 10,000 groups. */
const SHAPES: Record<string, number[]> = {
  flat: [10_000],
  '100x100': [100, 100],
  '10x10x10x10': [10, 10, 10, 10],
};

interface GroupRow {
  id: number;
  parent_id: number | null;
  path: string;
  depth: number;
}

/**
 * A tree of 10,000 groups and 100,000 devices (10 per group) in three shapes, which are the trees that Keycloak is
 * tested with. Every group's name contains its number; every hundredth name contains the word `Lager`.
 */
export const deviceGroups: BenchPart = {
  name: 'device-groups',
  async run(bench) {
    const rows: Row[] = [];
    await insertDevices(bench.dataSource);
    for (const [shape, widths] of Object.entries(SHAPES)) {
      await insertGroups(bench.dataSource, widths);
      rows.push(...(await measureShape(bench, shape)));
    }
    rows.push(...(await measureWithDevices(bench)));
    return rows;
  },
};

async function measureShape(bench: BenchApp, shape: string): Promise<Row[]> {
  const { dataSource } = bench;
  const authorization = `Bearer ${await bench.token(1, 'admin')}`;
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    request(`${bench.url}/api/admin/${path}`, { authorization, ...headers });
  const time = (path: string, count?: number): Promise<Timing> => measure(() => get(path), count);

  const br = { 'accept-encoding': 'br' };
  const tree = await get('device-groups/tree', br);
  const known = { 'if-none-match': String(tree.headers.etag) };
  const raise = () => dataSource.query('UPDATE device_group_tree SET version = version + 1');
  const first = await measure(async () => {
    await raise();
    await get('device-groups/tree', br);
  }, 30);
  const { lookUp, unchanged, repeated } = await measureInTurn({
    lookUp: () => get('devices/1'),
    unchanged: () => get('device-groups/tree', known),
    repeated: () => get('device-groups/tree', br),
  });
  const { page1, page333, page500 } = await measureInTurn({
    page1: () => get('device-groups'),
    page333: () => get('device-groups?page=333'),
    page500: () => get('device-groups?page=500'),
  });
  const rare = await time('device-groups?keyword=g9999');
  const common = await time('device-groups?keyword=lager&page=5');
  const [{ id: top } = { id: 0 }] = await dataSource.query<{ id: number }[]>(
    'SELECT MIN(id) AS id FROM device_groups',
  );
  const detail = await time(`device-groups/${top}`);
  const below = await time(`device-groups/${top}/devices?recursive=1`, 50);

  const row = (what: string, value: number, unit: Row['unit'], limit?: number): Row => ({
    what: `${shape}: ${what}`,
    value,
    unit,
    ...(limit === undefined ? {} : { target: `≤ ${limit}`, met: value <= limit }),
  });
  return [
    row(`first tree after a change (${Math.round(tree.length / 1024)} KiB of brotli)`, first.p50, 'ms', 100),
    row('unchanged tree (304)', unchanged.p50, 'ms'),
    row('unchanged tree (304), relative to one device by id', unchanged.p50 / lookUp.p50, '×', 1.2),
    row('repeated tree (brotli), relative to one device by id', repeated.p50 / lookUp.p50, '×', 1.5),
    row('list, page 1', page1.p50, 'ms'),
    row('list, page 333 (the middle) to page 1', page333.p50 / page1.p50, '×', 1.5),
    row('list, page 500 to page 1', page500.p50 / page1.p50, '×', 1.5),
    row('search by keyword, one match', rare.p50, 'ms', 20),
    row('search by keyword, a hundred matches, page 5', common.p50, 'ms', 20),
    row('one group with counts and path', detail.p50, 'ms'),
    row('devices below the first group, page 1', below.p50, 'ms'),
  ];
}

/**
 * Measures requests that do not depend on the shape, and moves of a whole branch (1,111 groups) of the deepest shape
 * back and forth.
 */
async function measureWithDevices(bench: BenchApp): Promise<Row[]> {
  const authorization = `Bearer ${await bench.token(1, 'admin')}`;
  const time = async (path: string): Promise<number> =>
    (await measure(() => request(`${bench.url}/api/admin/${path}`, { authorization }), 30)).p50;
  const [top = 0, other = 0] = (
    await bench.dataSource.query<{ id: number }[]>(
      'SELECT id FROM device_groups WHERE parent_id IS NULL ORDER BY id LIMIT 2',
    )
  ).map(({ id }) => id);
  let isMoved = false;
  const move = await measure(async () => {
    isMoved = !isMoved;
    const reply = await bench.app.inject({
      method: 'PUT',
      url: `/api/admin/device-groups/${top}`,
      headers: { authorization },
      payload: { parent_id: isMoved ? other : null },
    });
    if (reply.statusCode !== 200) throw new Error(reply.payload);
  }, 20);
  const rows: [what: string, value: number][] = [
    ['move of a branch of 1,111 groups', move.p50],
    ['devices, page 1', await time('devices')],
    ['devices, page 2,500 (the middle)', await time('devices?page=2500')],
    ['devices, search by keyword', await time('devices?keyword=sn-99999')],
    ['devices, by group', await time(`devices?group_id=${top}`)],
    ['devices, in no group', await time('devices?ungrouped=1')],
  ];
  return rows.map(([what, value]) => ({ what, value, unit: 'ms' }));
}

interface Answer {
  headers: IncomingHttpHeaders;
  /** Length of the body in bytes. */
  length: number;
}

const agent = new Agent({ keepAlive: true });

/** Requests over a real connection and does not parse the body, so that the client's share of the time stays small. */
function request(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    httpGet(url, { agent, headers }, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.length));
      response.on('end', () => {
        if ([200, 304].includes(response.statusCode ?? 0)) resolve({ headers: response.headers, length });
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}

async function insertDevices(dataSource: DataSource): Promise<void> {
  const now = dataSource.options.type === 'better-sqlite3' ? '2026-01-31 08:00:00.000' : new Date(0);
  await insert(dataSource, 'devices', DEVICES, (index) => {
    const id = index + 1;
    return {
      id,
      name: `Device ${id}`,
      name_search: `device ${id}`,
      serial_no: `SN-${id}`,
      serial_no_search: `sn-${id}`,
      status: 1,
      created_at: now,
    };
  });
}

export async function insertGroups(dataSource: DataSource, widths: number[]): Promise<void> {
  await dataSource.query('DELETE FROM device_memberships');
  await dataSource.query('DELETE FROM device_groups');
  const groups = groupsOf(widths);
  await insert(dataSource, 'device_groups', groups.length, (index) => {
    const group = groups[index];
    const name = `${index % 100 === 0 ? 'Lager' : 'Raum'} G${index}`;
    return {
      ...group,
      name,
      name_search: name.toLowerCase(),
      description: `Beschreibung ${index}`,
      sort_order: index % 7,
      status: 1,
    };
  });
  await insert(dataSource, 'device_memberships', DEVICES, (index) => ({
    group_id: groups[index % groups.length]?.id,
    device_id: index + 1,
  }));
  await dataSource.query('UPDATE device_group_tree SET version = version + 1');
  if (dataSource.options.type !== 'better-sqlite3') {
    await dataSource.query('ANALYZE TABLE device_groups, device_memberships, devices');
  }
}

/** Returns groups level by level until there are 10,000 in total (the last level is truncated). */
function groupsOf(widths: number[]): GroupRow[] {
  const rows: GroupRow[] = [];
  let level: (GroupRow | null)[] = [null];
  for (const width of widths) {
    const next: GroupRow[] = [];
    for (const parent of level) {
      for (let index = 0; index < width && rows.length < GROUPS; index += 1) {
        const id = rows.length + 1;
        const row = {
          id,
          parent_id: parent?.id ?? null,
          path: `${parent?.path ?? '/'}${id}/`,
          depth: (parent?.depth ?? 0) + 1,
        };
        rows.push(row);
        next.push(row);
      }
    }
    level = next;
  }
  return rows;
}

async function insert(
  dataSource: DataSource,
  table: string,
  count: number,
  rowAt: (index: number) => object,
): Promise<void> {
  for (let start = 0; start < count; start += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - start) }, (_, offset) => rowAt(start + offset));
    const columns = Object.keys(rows[0] ?? {});
    const marks = rows.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
    const values = rows.flatMap((row) => Object.values(row) as unknown[]);
    await dataSource.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks}`, values);
  }
}
