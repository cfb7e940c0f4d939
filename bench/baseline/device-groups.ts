import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { select } from './database';
import { callerOf, notMeasured, ok, pageOf, HttpError } from './http';

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

let tree: Tree | undefined;

/** Routes of the list of all groups and of the tree. */
export function deviceGroups(server: FastifyInstance): void {
  server.get('/api/admin/device-groups', async (request, reply) => {
    requireAdmin(request);
    const { keyword, status, parent_id } = request.query as Record<string, string | undefined>;
    if ((keyword ?? status ?? parent_id) !== undefined) throw notMeasured('a filtered list of groups');
    const { page, per_page } = pageOf(request, 15);
    const before = (page - 1) * per_page;
    const rows = await select<
      Group & { total: number; place: number; device_count: number; total_device_count: number }
    >(
      `SELECT t.total, g.place, ${COLUMNS}, g.device_count, g.total_device_count FROM device_group_tree t
       LEFT JOIN device_groups g ON g.place > ? AND g.place <= ?`,
      [before, before + per_page],
    );
    const total = rows[0]?.total ?? 0;
    void reply.header('X-Total-Count', total);
    return ok(reply, {
      items: rows
        .filter(({ place }) => place !== null)
        .toSorted((a, b) => a.place - b.place)
        .map(({ total: _total, place: _place, ...group }) => group),
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
    const [row] = await select<{ version: number }>('SELECT version FROM device_group_tree', []);
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
  if (!callerOf(request).isAdmin) throw new HttpError(403, 403, '无权限');
}

async function build(version: number): Promise<Tree> {
  const groups = await select<Group>(`SELECT ${COLUMNS} FROM device_groups g ORDER BY g.place`, []);
  const nodes = new Map<number, Node>(groups.map((group) => [group.id, { ...group, children: [] }]));
  const roots: Node[] = [];
  for (const node of nodes.values())
    (node.parent_id === null ? roots : nodes.get(node.parent_id)?.children)?.push(node);
  const bytes = Buffer.from(JSON.stringify({ code: 0, message: '操作成功', data: roots }));
  const etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return { version, etag, bytes, brotli };
}
