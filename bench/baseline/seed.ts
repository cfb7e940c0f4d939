import { createConnection } from 'mysql2/promise';
import { CREATE, TABLES } from './tables';

const connect = (url: string) => createConnection(url.replace(/^mariadb:/, 'mysql:'));

/** Creates a new, empty database on the server of the URL. */
export async function createDatabase(url: string, name: string): Promise<void> {
  const connection = await connect(url);
  try {
    await connection.query(`CREATE DATABASE \`${name}\``);
  } finally {
    await connection.end();
  }
}

/**
 * Creates the baseline's tables in an empty database and fills them from the service's database, which must be on the
 * same server and contain the data set as it was loaded.
 * @param url of the baseline's database
 * @param source name of the service's database
 */
export async function seedBaseline(url: string, source: string): Promise<void> {
  const connection = await connect(url);
  const run = (sql: string): Promise<unknown> => connection.query(sql);
  try {
    for (const statement of CREATE) await run(statement);
    for (const [target, select] of copies(`\`${source}\`.`)) await run(`INSERT INTO ${target} ${select}`);
    for (const statement of inboxLists('TRUE')) await run(statement);
    await run(`ANALYZE TABLE ${TABLES.join(', ')}`);
  } finally {
    await connection.end();
  }
}

/**
 * Statements that recompute the inbox lists; valid while every inbox is in its first epoch.
 * @param where selects notifications; must match either all of an inbox or nothing
 */
export const inboxLists = (where: string): string[] => [
  inboxList("''", 'seq', where),
  inboxList('type', 'type_seq', where),
];

/** Builds the bitmap of a list's unread notifications. Position 1 is the lowest bit of the first byte. */
const inboxList = (list: string, position: string, where: string): string =>
  `REPLACE INTO inbox_lists (user_id, type, total, unread, epoch, unread_bits)
   SELECT user_id, list, SUM(total), SUM(unread), 1,
     UNHEX(GROUP_CONCAT(LPAD(HEX(bits), 2, '0') ORDER BY eight SEPARATOR ''))
   FROM (SELECT user_id, ${list} AS list, (${position} - 1) DIV 8 AS eight, COUNT(*) AS total,
       SUM(unread_epoch = 1) AS unread, SUM((unread_epoch = 1) << (${position} - 1) % 8) AS bits
     FROM notifications WHERE ${where} GROUP BY user_id, list, eight) eights
   GROUP BY user_id, list`;

/** The SELECT that fills each table from the service's database. */
const copies = (from: string): [target: string, select: string][] => [
  ['users (id, name, avatar, status)', `SELECT id, name, avatar, status FROM ${from}users`],
  ['seats (user_id, call_id)', 'SELECT id, NULL FROM users'],
  [
    'notifications (user_id, seq, id, type, type_seq, title, content, data, unread_epoch, created_at)',
    `SELECT n.user_id, ROW_NUMBER() OVER (PARTITION BY n.user_id ORDER BY n.seq), n.id, n.type,
       ROW_NUMBER() OVER (PARTITION BY n.user_id, n.type ORDER BY n.seq), n.title, n.content, n.data,
       b.version > c.epoch AND ORD(SUBSTR(b.unread, n.seq % 1024 DIV 8 + 1, 1)) >> n.seq % 8 & 1 = 1, n.created_at
     FROM ${from}notifications n JOIN ${from}notification_types c ON c.user_id = n.user_id AND c.type = n.type
       JOIN ${from}notification_blocks b ON b.user_id = n.user_id AND b.start = n.seq - n.seq % 1024`,
  ],
  [
    `conversations (id, type, name, avatar, member_count, pulled, max_seq, last_recalled_seq, last_sender_id, last_type,
       last_content, last_extra, last_at)`,
    `SELECT c.id, c.type, c.name, c.avatar, c.member_count, c.pulled, c.max_seq, c.last_recalled_seq, l.sender_id, l.type,
       l.content, l.extra, l.created_at
     FROM ${from}conversations c LEFT JOIN ${from}messages l ON l.conversation_id = c.id AND l.seq = c.max_seq`,
  ],
  [
    `members (conversation_id, user_id, peer_id, role, join_seq, joined_at, read_seq, read_id, pinned, muted, mute_until,
       pulled, sort_at)`,
    `SELECT m.conversation_id, m.user_id, m.peer_id, m.role, m.join_seq, m.joined_at, m.read_seq, r.id, m.pinned, m.muted,
       m.mute_until, m.pulled, m.sort_at
     FROM ${from}conversation_members m LEFT JOIN ${from}messages r
       ON r.conversation_id = m.conversation_id AND r.seq = m.read_seq AND r.seq >= m.join_seq`,
  ],
  ['conversation_totals (user_id, total)', 'SELECT user_id, COUNT(*) FROM members GROUP BY user_id'],
  [
    'messages (conversation_id, seq, id, sender_id, type, content, extra, created_at, recalled_at, client_msg_id)',
    `SELECT conversation_id, seq, id, sender_id, type, content, extra, created_at, recalled_at, client_msg_id
     FROM ${from}messages`,
  ],
  ['recalls (conversation_id, seq)', `SELECT conversation_id, seq FROM ${from}message_recalls`],
  [
    'readings (conversation_id, reader_id, to_seq, from_seq, read_at)',
    `SELECT conversation_id, user_id, to_seq, from_seq, read_at FROM ${from}read_intervals
     UNION ALL SELECT conversation_id, 0, to_seq, from_seq, read_at FROM ${from}first_reads`,
  ],
  [
    `device_groups (place, id, name, description, parent_id, sort_order, status, device_count, total_device_count)`,
    `WITH RECURSIVE branches (top, id) AS (
       SELECT id, id FROM ${from}device_groups
       UNION ALL SELECT b.top, g.id FROM branches b JOIN ${from}device_groups g ON g.parent_id = b.id)
     SELECT ROW_NUMBER() OVER (ORDER BY g.sort_order, g.id), g.id, g.name, g.description, g.parent_id, g.sort_order,
       g.status, COALESCE(d.own, 0), COALESCE(d.total, 0)
     FROM ${from}device_groups g LEFT JOIN (
       SELECT b.top, SUM(b.top = b.id) AS own, COUNT(DISTINCT m.device_id) AS total
       FROM branches b JOIN ${from}device_memberships m ON m.group_id = b.id GROUP BY b.top) d ON d.top = g.id`,
  ],
  [
    'device_group_tree (version, total)',
    `SELECT version, (SELECT COUNT(*) FROM device_groups) FROM ${from}device_group_tree WHERE id = 1`,
  ],
];
