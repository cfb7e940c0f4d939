import { marks, times, type Transaction } from './database';

/* Statements of sends, for the messages of several conversations. */

/** A conversation that is locked for sends. */
export interface Conversation {
  id: number;
  type: 'single' | 'group';
  member_count: number;
  pulled: number;
  max_seq: number;
  first_read_seq: number;
  /** Id of the newest message. */
  top_id: number | null;
}

/** A locked member; the fields after `muted` are set for senders only. */
export interface Member {
  conversation_id: number;
  user_id: number;
  read_seq: number;
  unread: number;
  hidden: number;
  muted: number;
  name: string | null;
  avatar: string | null;
  blocked: number | null;
}

export interface Place {
  conversation: number;
  user: number;
}

/** A message to insert. */
export interface Row {
  conversation: number;
  seq: number;
  id: number;
  sender: number;
  content: string;
  clientMsgId: string | null;
  hash: string | null;
}

/** A range of messages that a user, or in `first_reads` the group, has read. */
export interface Reading {
  conversation: number;
  user: number;
  from: number;
  to: number;
}

/** Locks the conversations of which a sender is a member, in ascending order. */
export const lockConversations = (tx: Transaction, places: Place[]): Promise<Conversation[]> =>
  tx.select(
    `SELECT c.id, c.type, c.member_count, c.pulled, c.max_seq, c.first_read_seq,
       (SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = c.max_seq) AS top_id
     FROM (SELECT DISTINCT conversation_id FROM conversation_members FORCE INDEX (PRIMARY)
       WHERE (conversation_id, user_id) IN (${times(places.length, '(?, ?)')})) k
     JOIN conversations c FORCE INDEX (PRIMARY) ON c.id = k.conversation_id FOR UPDATE`,
    places.flatMap(({ conversation, user }) => [conversation, user]),
  );

/**
 * Unread messages of a member; notices are subtracted. As in `src/messaging/store/members.store.ts`, which the floor
 * does not load.
 */
export const UNREAD = 'c.max_seq - m.read_seq - m.recalled_ahead - (c.notice_count - m.notices_read)';

/** Locks all members of small conversations, and the senders of large groups. */
export function lockMembers(tx: Transaction, places: Place[], large: ReadonlySet<number>): Promise<Member[]> {
  const users = [...new Set(places.map(({ user }) => user))];
  const small = [...new Set(places.map(({ conversation }) => conversation))].filter((id) => !large.has(id));
  const inLarge = places.filter(({ conversation }) => large.has(conversation));
  const isSender = `m.user_id IN (${marks(users)})`;
  const conditions = [
    ...(small.length > 0 ? [`m.conversation_id IN (${marks(small)})`] : []),
    ...(inLarge.length > 0 ? [`(m.conversation_id, m.user_id) IN (${times(inLarge.length, '(?, ?)')})`] : []),
  ];
  const userColumn = (column: string): string =>
    `IF(${isSender}, (SELECT u.${column} FROM users u WHERE u.id = m.user_id), NULL) AS ${column}`;
  return tx.select(
    `SELECT m.conversation_id, m.user_id, m.read_seq, ${UNREAD} AS unread, m.hidden, m.muted,
       ${userColumn('name')}, ${userColumn('avatar')},
       m.peer_id IS NOT NULL AND ${isSender} AND (
         EXISTS (SELECT 1 FROM user_blocks x WHERE x.user_id = m.user_id AND x.blocked_id = m.peer_id)
         OR EXISTS (SELECT 1 FROM user_blocks y WHERE y.user_id = m.peer_id AND y.blocked_id = m.user_id)) AS blocked
     FROM conversation_members m FORCE INDEX (PRIMARY) JOIN conversations c ON c.id = m.conversation_id
     WHERE ${conditions.join(' OR ')} FOR UPDATE`,
    [
      ...users,
      ...users,
      ...users,
      ...small,
      ...inLarge.flatMap(({ conversation, user }) => [conversation, user]),
    ],
  );
}

/** Sets the number of the newest message, and in groups of the last one that a member has read. */
export function advance(
  tx: Transaction,
  conversations: { id: number; maxSeq: number; firstRead: number }[],
): void {
  const of = (column: string): string =>
    `${column} = CASE id ${'WHEN ? THEN ? '.repeat(conversations.length)}END`;
  const ids = conversations.map(({ id }) => id);
  void tx.change(
    `UPDATE conversations SET ${of('max_seq')}, ${of('first_read_seq')} WHERE id IN (${marks(ids)})`,
    [
      ...conversations.flatMap(({ id, maxSeq }) => [id, maxSeq]),
      ...conversations.flatMap(({ id, firstRead }) => [id, firstRead]),
      ...ids,
    ],
  );
}

/** Returns the first of the consecutive ids of new messages. */
export async function allotIds(tx: Transaction, rows: Pick<Row, 'conversation' | 'seq'>[]): Promise<number> {
  const { insertId } = await tx.change(
    `INSERT INTO message_ids (conversation_id, seq) VALUES ${times(rows.length, '(?, ?)')}`,
    rows.flatMap(({ conversation, seq }) => [conversation, seq]),
  );
  return insertId;
}

export function insertMessages(tx: Transaction, rows: Row[], now: Date): void {
  void tx.change(
    `INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at, is_forwarded, client_msg_id,
       content_hash) VALUES ${times(rows.length, "(?, ?, ?, ?, 'text', ?, ?, 0, ?, ?)")}`,
    rows.flatMap(({ conversation, seq, id, sender, content, clientMsgId, hash }) => [
      conversation,
      seq,
      id,
      sender,
      content,
      now,
      clientMsgId,
      hash,
    ]),
  );
}

/** Moves the senders' positions, and small conversations to the top of their members' lists. */
export function moveMembers(
  tx: Transaction,
  positions: { conversation: number; user: number; seq: number }[],
  large: ReadonlySet<number>,
  now: Date,
): void {
  const update = (own: typeof positions, more: string, moreValues: (number | Date)[]): void => {
    if (own.length === 0) return;
    const keys = own.flatMap(({ conversation, user }) => [conversation, user]);
    const isSender = '(conversation_id, user_id)';
    void tx.change(
      `UPDATE conversation_members FORCE INDEX (PRIMARY) SET hidden = 0,
         read_seq = CASE ${own.map(() => 'WHEN conversation_id = ? AND user_id = ? THEN ?').join(' ')} ELSE read_seq END,
         recalled_ahead = IF(${isSender} IN (${times(own.length, '(?, ?)')}), 0, recalled_ahead)${more}`,
      [...own.flatMap(({ conversation, user, seq }) => [conversation, user, seq]), ...keys, ...moreValues],
    );
  };
  const small = positions.filter(({ conversation }) => !large.has(conversation));
  const ids = [...new Set(small.map(({ conversation }) => conversation))];
  update(small, `, sort_at = ? WHERE conversation_id IN (${marks(ids)})`, [now, ...ids]);
  const senders = positions.filter(({ conversation }) => large.has(conversation));
  update(
    senders,
    // MariaDB finds no range in a list of pairs of an UPDATE.
    ` WHERE ${senders.map(() => '(conversation_id = ? AND user_id = ?)').join(' OR ')}`,
    senders.flatMap(({ conversation, user }) => [conversation, user]),
  );
}

export function insertReadings(tx: Transaction, reads: Reading[], firstReads: Reading[], now: Date): void {
  if (reads.length > 0)
    void tx.change(
      `INSERT INTO read_intervals (conversation_id, user_id, to_seq, from_seq, read_at)
       VALUES ${times(reads.length, '(?, ?, ?, ?, ?)')}`,
      reads.flatMap(({ conversation, user, from, to }) => [conversation, user, to, from, now]),
    );
  if (firstReads.length > 0)
    void tx.change(
      `INSERT INTO first_reads (conversation_id, to_seq, from_seq, read_at)
       VALUES ${times(firstReads.length, '(?, ?, ?, ?)')}`,
      firstReads.flatMap(({ conversation, from, to }) => [conversation, to, from, now]),
    );
}

/** Adds to unread counts by user and type. Sent last, because every message to a user locks these rows. */
export function addUnread(
  tx: Transaction,
  changes: { user: number; type: 'single' | 'group'; unread: number }[],
): void {
  const sums = new Map<string, (typeof changes)[number]>();
  for (const change of changes) {
    const key = `${change.user} ${change.type}`;
    sums.set(key, { ...change, unread: change.unread + (sums.get(key)?.unread ?? 0) });
  }
  const changed = [...sums.values()]
    .filter(({ unread }) => unread !== 0)
    .toSorted((a, b) => a.user - b.user || a.type.localeCompare(b.type));
  if (changed.length === 0) return;
  void tx.change(
    `INSERT INTO conversation_counts (user_id, type, total, hidden, unread) VALUES ${times(changed.length, '(?, ?, 0, 0, ?)')}
     ON DUPLICATE KEY UPDATE unread = unread + VALUES(unread)`,
    changed.flatMap(({ user, type, unread }) => [user, type, unread]),
  );
}
