import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, blob, createTable, int, primary, varchar } from './schema';

const COUNTS = 'notification_counts';
const BLOCK_SIZE = 1_024;
/** Bytes per code where codes exceed 255. */
const WIDE = 4;
/** Notifications per statement. */
const CHUNK = 5_000;
/** Range of notification ids per statement. */
const ID_CHUNK = 20_000;
/** The blocks of the count tree, by level; the last one is the whole inbox. */
const SPANS = [32, 1_024, 32_768, 0];

interface Row {
  user_id: number;
  seq: number;
  type: string;
  is_unread: number;
}

interface Block {
  user_id: number;
  start: number;
  codes: number[];
  unread: Buffer;
}

interface TypeCounts {
  user_id: number;
  type: string;
  code: number;
  total: number;
  unread: number;
}

/**
 * Replaces the tree of counts of an inbox by its map: types and read states by position, in blocks of 1,024. The read
 * state moves there from the notifications.
 */
export class MapInboxes1764220000000 implements MigrationInterface {
  readonly name = 'MapInboxes1764220000000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasTable(COUNTS)) {
      // An interrupted run may have left part of the rows.
      for (const table of ['notification_types', 'notification_blocks']) await runner.dropTable(table, true);
      await createTables(runner);
      await fillTables(runner);
      // Maps have versions from 1.
      await runner.query('UPDATE notification_inboxes SET version = 1 WHERE version = 0');
      await runner.dropTable(COUNTS);
    }
    if (await runner.hasColumn('notifications', 'unread_epoch'))
      await runner.query('ALTER TABLE notifications DROP COLUMN unread_epoch');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('notifications', 'unread_epoch')))
      await runner.query('ALTER TABLE notifications ADD COLUMN unread_epoch int NOT NULL DEFAULT 0');
    if (await runner.hasTable('notification_blocks')) await restoreReadStates(runner);
    await runner.dropTable(COUNTS, true);
    await createTable(runner, COUNTS, {
      columns: [
        bigint('user_id', primary),
        int('level', primary),
        bigint('block', primary),
        varchar('type', 50, primary),
        int('total'),
        int('unread'),
        int('epoch'),
      ],
      withoutRowid: true,
    });
    for (const [level, span] of SPANS.entries()) {
      const block = span === 0 ? '0' : `(seq - seq % ${span}) / ${span}`;
      await runner.query(
        `INSERT INTO ${COUNTS} (user_id, level, block, type, total, unread, epoch)
         SELECT user_id, ${level}, ${block} AS number, type, COUNT(*), SUM(unread_epoch), 1
         FROM notifications GROUP BY user_id, number, type`,
      );
    }
    for (const table of ['notification_types', 'notification_blocks']) await runner.dropTable(table, true);
  }
}

async function createTables(runner: QueryRunner): Promise<void> {
  await createTable(runner, 'notification_types', {
    columns: [
      bigint('user_id', primary),
      varchar('type', 50, primary),
      int('code'),
      int('total'),
      int('unread'),
      bigint('epoch'),
    ],
    withoutRowid: true,
  });
  await createTable(runner, 'notification_blocks', {
    columns: [
      bigint('user_id', primary),
      bigint('start', primary),
      bigint('version'),
      int('width'),
      blob('types'),
      blob('unread'),
    ],
    withoutRowid: true,
  });
}

/** Fills the tables from the notifications, by inbox and position. Counts that had drifted are right afterwards. */
async function fillTables(runner: QueryRunner): Promise<void> {
  let types = new Map<string, TypeCounts>();
  let block: Block | undefined;
  let last = { user_id: 0, seq: -1 };
  for (;;) {
    const rows = await readNotifications(runner, last);
    const blocks: Block[] = [];
    const counts: TypeCounts[] = [];
    for (const { user_id, seq, type, is_unread } of rows) {
      const start = seq - (seq % BLOCK_SIZE);
      if (block !== undefined && (block.user_id !== user_id || block.start !== start)) blocks.push(block);
      if (block?.user_id !== user_id) {
        counts.push(...types.values());
        types = new Map();
      }
      if (block?.user_id !== user_id || block.start !== start)
        block = { user_id, start, codes: [], unread: Buffer.alloc(BLOCK_SIZE / 8) };
      const ofType = types.get(type) ?? { user_id, type, code: types.size + 1, total: 0, unread: 0 };
      types.set(type, ofType);
      ofType.total += 1;
      while (block.codes.length < seq - start) block.codes.push(0);
      block.codes.push(ofType.code);
      if (is_unread === 0) continue;
      ofType.unread += 1;
      const byte = (seq - start) >> 3;
      block.unread[byte] = (block.unread[byte] ?? 0) | (1 << (seq & 7));
    }
    if (rows.length < CHUNK) {
      if (block !== undefined) blocks.push(block);
      counts.push(...types.values());
    }
    for (const chunk of chunksOf(blocks)) await insertBlocks(runner, chunk);
    for (const chunk of chunksOf(counts)) await insertTypes(runner, chunk);
    if (rows.length < CHUNK) return;
    last = rows.at(-1) ?? last;
  }
}

const readNotifications = async (
  runner: QueryRunner,
  { user_id, seq }: { user_id: number; seq: number },
): Promise<Row[]> =>
  (await runner.query(
    `SELECT n.user_id, n.seq, n.type, CASE WHEN n.unread_epoch = c.epoch THEN 1 ELSE 0 END AS is_unread
     FROM (SELECT user_id, seq, type, unread_epoch FROM notifications
       WHERE user_id > ? OR (user_id = ? AND seq > ?) ORDER BY user_id, seq LIMIT ${CHUNK}) n
     LEFT JOIN ${COUNTS} c ON c.user_id = n.user_id AND c.level = 3 AND c.block = 0 AND c.type = n.type
     ORDER BY n.user_id, n.seq`,
    [user_id, user_id, seq],
  )) as Row[];

async function insertBlocks(runner: QueryRunner, blocks: readonly Block[]): Promise<void> {
  await runner.query(
    `INSERT INTO notification_blocks (user_id, start, version, width, types, unread)
     VALUES ${blocks.map(() => '(?, ?, 1, ?, ?, ?)').join(', ')}`,
    blocks.flatMap(({ user_id, start, codes, unread }) => {
      const width = codes.some((code) => code > 0xff) ? WIDE : 1;
      const bytes = Buffer.alloc(codes.length * width);
      for (const [index, code] of codes.entries()) bytes.writeUIntLE(code, index * width, width);
      return [
        user_id,
        start,
        width,
        bytes,
        unread.subarray(0, unread.findLastIndex((byte) => byte !== 0) + 1),
      ];
    }),
  );
}

async function insertTypes(runner: QueryRunner, types: readonly TypeCounts[]): Promise<void> {
  await runner.query(
    `INSERT INTO notification_types (user_id, type, code, total, unread, epoch)
     VALUES ${types.map(() => '(?, ?, ?, ?, ?, 0)').join(', ')}`,
    types.flatMap(({ user_id, type, code, total, unread }) => [user_id, type, code, total, unread]),
  );
}

/** Marks the unread notifications in their rows. */
async function restoreReadStates(runner: QueryRunner): Promise<void> {
  const [{ newest } = { newest: 0 }] = (await runner.query(
    'SELECT MAX(id) AS newest FROM notifications',
  )) as {
    newest: string | number | null;
  }[];
  for (let from = 0; from <= Number(newest ?? 0); from += ID_CHUNK) {
    const rows = (await runner.query(
      `SELECT n.id, n.seq, SUBSTR(b.unread, (n.seq % ${BLOCK_SIZE} - n.seq % 8) / 8 + 1, 1) AS bits
       FROM notifications n
       JOIN notification_types c ON c.user_id = n.user_id AND c.type = n.type
       JOIN notification_blocks b
         ON b.user_id = n.user_id AND b.start = n.seq - n.seq % ${BLOCK_SIZE} AND b.version > c.epoch
       WHERE n.id >= ? AND n.id < ?`,
      [from, from + ID_CHUNK],
    )) as { id: number; seq: number; bits: Buffer }[];
    const ids = rows.filter(({ seq, bits }) => (((bits[0] ?? 0) >> (seq % 8)) & 1) === 1).map(({ id }) => id);
    for (const chunk of chunksOf(ids))
      await runner.query(
        `UPDATE notifications SET unread_epoch = 1 WHERE id IN (${chunk.map(() => '?').join(', ')})`,
        chunk,
      );
  }
}

function* chunksOf<T>(items: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
