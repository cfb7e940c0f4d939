import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { select } from './database';
import { callerOf, notMeasured, ok, pageOf, Refusal } from './http';

interface Group {
  id: number;
  name: string;
  description: string;
  parent_id: number | null;
  sort_order: number;
  status: number;
}

type Node = Group & { children: Node[] };

interface Tree {
  version: number;
  etag: string;
  bytes: Buffer;
  brotli: Buffer;
}

const COLUMNS = 'g.id, g.name, g.description, g.parent_id, g.sort_order, g.status';
const VERSION = '(SELECT version FROM device_group_tree WHERE id = 1) AS version';
const DEVICES_VERSION = '(SELECT version FROM device_group_tree WHERE id = 2) AS devices';

let tree: Tree | undefined;
/** How many groups a version of the tree has. */
let counted: { version: number; total: number } | undefined;
/** How many devices each group has, for a version of the tree and of what is in it. */
let devices:
  { version: number; devices: number; counts: Map<number, [own: number, total: number]> } | undefined;

/** The list of all groups, and the tree. */
export function deviceGroups(server: FastifyInstance): void {
  server.get('/api/admin/device-groups', async (request, reply) => {
    requireAdmin(request);
    const { keyword, status, parent_id } = request.query as Record<string, string | undefined>;
    if ((keyword ?? status ?? parent_id) !== undefined) throw notMeasured('a filtered list of groups');
    const { page, per_page } = pageOf(request, 15);
    const rows = await select<Group & { version: number; devices: number }>(
      `SELECT ${COLUMNS}, ${VERSION}, ${DEVICES_VERSION} FROM
         (SELECT id FROM device_groups ORDER BY sort_order, id LIMIT ? OFFSET ?) k
       JOIN device_groups g ON g.id = k.id ORDER BY g.sort_order, g.id`,
      [per_page, (page - 1) * per_page],
    );
    const total = await totalOf(rows[0]?.version);
    const counts = await countsOf(rows[0]);
    void reply.header('X-Total-Count', total);
    return ok(reply, {
      items: rows.map(({ id, name, description, parent_id, sort_order, status }) => ({
        id,
        name,
        description,
        parent_id,
        sort_order,
        status,
        device_count: counts.get(id)?.[0] ?? 0,
        total_device_count: counts.get(id)?.[1] ?? 0,
      })),
      pagination: {
        current_page: page,
        per_page,
        total,
        total_pages: Math.max(1, Math.ceil(total / per_page)),
      },
    });
  });

  server.get('/api/admin/device-groups/tree', async (request, reply) => {
    requireAdmin(request);
    const [row] = await select<{ version: number }>(`SELECT ${VERSION}`, []);
    if (row === undefined) throw notMeasured('a database without a tree');
    if (tree?.version !== row.version) tree = await build(row.version);
    const { etag, bytes, brotli } = tree;
    void reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' });
    const known = request.headers['if-none-match'];
    if (known === etag || known === '*') return reply.status(304).send();
    void reply.header('content-type', 'application/json; charset=utf-8');
    if (!request.headers['accept-encoding']?.includes('br')) return reply.send(bytes);
    return reply.header('content-encoding', 'br').send(brotli);
  });
}

function requireAdmin(request: FastifyRequest): void {
  if (!callerOf(request).isAdmin) throw new Refusal(403, 403, '无权限');
}

/** Counted once for each version of the tree, which every change of a group raises. */
async function totalOf(version: number | undefined): Promise<number> {
  if (counted !== undefined && counted.version === version) return counted.total;
  const [row] = await select<{ total: number }>('SELECT COUNT(*) AS total FROM device_groups', []);
  const total = row?.total ?? 0;
  if (version !== undefined) counted = { version, total };
  return total;
}

/** Counted once for each version, from all places of devices. */
async function countsOf(
  at: { version: number; devices: number } | undefined,
): Promise<Map<number, [own: number, total: number]>> {
  if (at === undefined) return new Map();
  if (devices?.version === at.version && devices.devices === at.devices) return devices.counts;
  const places = await select<{ device_id: number; path: string }>(
    'SELECT m.device_id, g.path FROM device_memberships m JOIN device_groups g ON g.id = m.group_id',
    [],
  );
  const seen = new Map<number, Set<number>>();
  const own = new Map<number, number>();
  for (const { device_id, path } of places) {
    const ids = path.split('/').slice(1, -1).map(Number);
    const group = ids.at(-1) ?? 0;
    own.set(group, (own.get(group) ?? 0) + 1);
    for (const id of ids) seen.set(id, (seen.get(id) ?? new Set()).add(device_id));
  }
  const counts = new Map(Array.from(seen, ([id, all]) => [id, [own.get(id) ?? 0, all.size]]));
  devices = { ...at, counts: counts as Map<number, [own: number, total: number]> };
  return devices.counts;
}

async function build(version: number): Promise<Tree> {
  const groups = await select<Group>(
    `SELECT ${COLUMNS} FROM device_groups g ORDER BY g.sort_order, g.id`,
    [],
  );
  const nodes = new Map<number, Node>(groups.map((group) => [group.id, { ...group, children: [] }]));
  const roots: Node[] = [];
  for (const node of nodes.values())
    (node.parent_id === null ? roots : nodes.get(node.parent_id)?.children)?.push(node);
  const bytes = Buffer.from(JSON.stringify({ code: 0, message: '操作成功', data: roots }));
  const etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return { version, etag, bytes, brotli };
}
