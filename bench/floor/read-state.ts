import type { Transaction } from './database';

export interface Range {
  from: number;
  to: number;
}

/** The viewer of a page. */
interface Viewer {
  id: number;
  user: number;
  /** The other user of a single chat. */
  other: number | null;
  isGroup: boolean;
  member_count: number;
}

/** The columns of a message that its readers depend on. */
interface Ref {
  seq: number;
  sender_id: number;
  /** In groups: from which message the sender is a member; null after the sender has left. */
  sender_join: number | null;
}

/** When the viewer, or of an own message the first other member, has read a message, and how many have. */
export type ReadState = (message: Ref) => { readAt: Date | undefined; read: number; unread: number };

interface Found {
  kind: 'received' | 'own' | 'read below' | 'read' | 'joined above' | 'joined';
  a: number;
  b: number;
  read_at: Date | null;
}

/** Selects the intervals of a log that end within the range, and the next one. */
function log(kind: string, table: string, where: string): string {
  const of = `SELECT '${kind}' AS kind, from_seq AS a, to_seq AS b, read_at FROM ${table} WHERE ${where} AND to_seq >= ?`;
  return `(${of} AND to_seq < ?) UNION ALL (${of} ORDER BY to_seq LIMIT 1)`;
}

/** Reads the read state of a range of messages with one statement. */
export async function readState(
  on: Pick<Transaction, 'select'>,
  { id, user, other, isGroup, member_count }: Viewer,
  { from, to }: Range,
): Promise<ReadState> {
  const one = 'conversation_id = ? AND user_id = ?';
  const parts = [log('received', 'read_intervals', one)];
  const values = [id, user, from, to, id, user, to];
  if (isGroup) {
    const count = 'FROM conversation_members WHERE conversation_id = ?';
    parts.push(
      log('own', 'first_reads', 'conversation_id = ?'),
      `SELECT 'read below', 0, COUNT(*), NULL ${count} AND read_seq < ?`,
      `SELECT 'read', read_seq, COUNT(*), NULL ${count} AND read_seq >= ? AND read_seq < ? GROUP BY read_seq`,
      `SELECT 'joined above', 0, COUNT(*), NULL ${count} AND join_seq > ?`,
      `SELECT 'joined', join_seq, COUNT(*), NULL ${count} AND join_seq > ? AND join_seq <= ? GROUP BY join_seq`,
    );
    values.push(id, from, to, id, to, id, from, id, from, to, id, to, id, from, to);
  } else {
    parts.push(log('own', 'read_intervals', one));
    values.push(id, other ?? 0, from, to, id, other ?? 0, to);
  }
  const rows = await on.select<Found>(parts.join(' UNION ALL '), values);
  const of = (kind: Found['kind']): Found[] => rows.filter((row) => row.kind === kind);
  const logs = { received: of('received'), own: of('own') };
  const [below, above] = [of('read below')[0]?.b ?? 0, of('joined above')[0]?.b ?? 0];
  const [read, joined] = [of('read'), of('joined')];
  return ({ seq, sender_id, sender_join }) => {
    const intervals = sender_id === user ? logs.own : logs.received;
    const readAt = intervals.find(({ a, b }) => a <= seq && seq <= b)?.read_at ?? undefined;
    if (!isGroup) return { readAt, read: readAt ? 1 : 0, unread: readAt ? 0 : 1 };
    const unread = read.reduce((sum, row) => (row.a < seq ? sum + row.b : sum), below);
    const later = joined.reduce((sum, row) => (row.a > seq ? sum + row.b : sum), above);
    const isThere = sender_join !== null && sender_join <= seq;
    return { readAt, read: member_count - later - (isThere ? 1 : 0) - unread, unread };
  };
}
