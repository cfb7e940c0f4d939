import { notMeasured, HttpError, type Page } from '../baseline/http';
import { type StoredMessage, toMessage } from '../baseline/messages';
import { transaction, select, type Transaction } from './database';
import { append } from './event-log';
import { type Answer, itemsPage, pageIn, type Routes } from './http';
import { type Range, readState, type ReadState } from './read-state';
import { addUnread, insertReadings, UNREAD } from './send-rows';
import { readPayload } from './sends';

/** A message of the page (null without one), with the fields of the conversation and its reader. */
interface Row extends Omit<StoredMessage, 'seq'> {
  conversation_type: 'single' | 'group';
  member_count: number;
  max_seq: number;
  first_read_seq: number;
  pulled: number;
  first: number;
  read_seq: number;
  peer_id: number | null;
  seq: number | null;
  sender_join: number | null;
}

export type Message = StoredMessage & Row;

/**
 * The page depends on the conversation's newest message, so that one statement reads both. The data set has no notices, quotes,
 * reactions or deletions.
 */
const PAGE = `SELECT c.type AS conversation_type, c.member_count, c.max_seq, c.first_read_seq, c.pulled,
    GREATEST(me.join_seq, me.cleared_seq + 1) AS first, me.read_seq, me.peer_id, s.join_seq AS sender_join,
    m.conversation_id, m.seq, m.id, m.sender_id, m.type, m.content, m.extra, m.created_at, m.recalled_at, m.client_msg_id,
    u.name AS sender_name, u.avatar AS sender_avatar
  FROM conversation_members me
  JOIN conversations c ON c.id = me.conversation_id
  LEFT JOIN messages m ON m.conversation_id = ?
    AND m.seq >= GREATEST(me.join_seq, me.cleared_seq + 1, c.max_seq - ?) AND m.seq <= c.max_seq - ?
  LEFT JOIN users u ON u.id = m.sender_id
  LEFT JOIN conversation_members s ON s.conversation_id = IF(c.type = 'group', c.id, NULL) AND s.user_id = m.sender_id
  WHERE me.conversation_id = ? AND me.user_id = ?`;

export const HISTORY: Routes = {
  'GET /api/messages/conversations/:id/messages': async (request) => {
    const page = pageIn(request, 50);
    // Another request of the user may have moved the position since the page was read.
    for (;;) {
      const response = await pageOf(request.id, request.user, page);
      if (response !== undefined) return response;
    }
  },
};

/** Returns the page, and marks the conversation read up to its newest message; undefined if the position has moved. */
async function pageOf(id: number, user: number, page: Page): Promise<Answer | undefined> {
  const skip = (page.page - 1) * page.per_page;
  const rows = await select<Row>(PAGE, [id, skip + page.per_page - 1, skip, id, user]);
  const [me] = rows;
  if (me === undefined) throw new HttpError(403, 403, '无权访问此会话');
  const messages = rows.filter((row): row is Message => row.seq !== null).toSorted((a, b) => b.seq - a.seq);
  const [newest, oldest] = [messages[0], messages.at(-1)];
  const range = newest && oldest && { from: oldest.seq, to: newest.seq };
  const { member_count, peer_id: other } = me;
  const reader = { id, user, other, isGroup: me.conversation_type === 'group', member_count };
  const states = (on: Pick<Transaction, 'select'>): Promise<ReadState> | undefined =>
    range && readState(on, reader, range);
  const state =
    me.read_seq >= me.max_seq ? await states({ select }) : await markRead(id, user, me, newest, states);
  if (state === 'moved') return undefined;
  const items = messages.map((message) => toMessage(message, user, (state as ReadState)(message)));
  return itemsPage(items, Math.max(0, me.max_seq - me.first + 1), page);
}

/** Moves the read position to the newest message, in two round trips and the commit, and reads the states in the same transaction. */
function markRead(
  conversation: number,
  user: number,
  me: Row,
  newest: Message | undefined,
  states: (tx: Transaction) => Promise<ReadState> | undefined,
): Promise<ReadState | 'moved' | undefined> {
  const range: Range = { from: me.read_seq + 1, to: me.max_seq };
  const isFirst = me.conversation_type === 'group' && range.to > me.first_read_seq;
  return transaction(async (tx) => {
    const now = new Date();
    const read = { conversation, user, ...range };
    // First reads are kept per conversation, under its lock.
    const first = isFirst
      ? tx.select<{ first_read_seq: number }>(
          'SELECT first_read_seq FROM conversations WHERE id = ? FOR UPDATE',
          [conversation],
        )
      : undefined;
    const moved = tx.change(
      `UPDATE conversation_members FORCE INDEX (PRIMARY) SET read_seq = ?
       WHERE conversation_id = ? AND user_id = ? AND read_seq = ?`,
      [range.to, conversation, user, me.read_seq],
    );
    const after = tx.select<{ unread: number; recalled: number; muted: number; id: number | null }>(
      `SELECT ${UNREAD} AS unread, m.recalled_ahead AS recalled, m.muted,
         (SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = m.read_seq) AS id
       FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
       WHERE m.conversation_id = ? AND m.user_id = ?`,
      [conversation, user],
    );
    if ((await moved).affectedRows === 0) return 'moved';
    const [member] = await after;
    if (member === undefined || member.recalled > 0)
      throw notMeasured('recalled messages after the position');
    const firstRead = (await first)?.[0]?.first_read_seq ?? range.to;
    if (range.from > firstRead + 1) throw notMeasured('gaps between first reads');
    const firstFrom = firstRead + 1;
    const firstReads = firstFrom <= range.to ? [{ ...read, from: firstFrom }] : [];
    insertReadings(tx, [read], firstReads, now);
    if (firstReads.length > 0)
      void tx.change('UPDATE conversations SET first_read_seq = ? WHERE id = ?', [range.to, conversation]);
    const upTo = newest?.seq === range.to ? newest.id : member.id;
    const event = (log: number) => ({
      log,
      type: 'conversation.read',
      payload: readPayload(read, upTo, now, log === user ? member.unread : null),
    });
    append(tx, me.peer_id === null ? [event(user)] : [event(user), event(me.peer_id)], now);
    if (!member.muted && !me.pulled)
      addUnread(tx, [{ user, type: me.conversation_type, unread: range.from - range.to - 1 }]);
    return states(tx);
  });
}
