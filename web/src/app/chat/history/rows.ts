import type { MessageResponse, MessagesState, PendingMessage } from '@callboard/client';

/** A row of the history. */
export type Row =
  | { kind: 'date'; key: string; date: string }
  | { kind: 'unread'; key: string }
  | MessageRow
  | {
      kind: 'pending';
      key: string;
      pending: PendingMessage;
      isFirst: boolean;
      /** Whether “Sending…” is shown: below the last message only. Errors are shown below each message. */
      hasStatus: boolean;
    };

interface MessageRow {
  kind: 'message';
  key: string;
  message: MessageResponse;
  /** Whether the message is the first of a run by one sender, so that the sender is named. A pause of 5 min ends a run. */
  isFirst: boolean;
  /** Whether the read state is shown: below the last own message only. */
  hasStatus: boolean;
}

const MAX_GAP_MS = 5 * 60_000;

/** The latest row of each message: an unchanged row stays the same object, so that it is not rendered again. */
const latestRows = new WeakMap<MessageResponse, MessageRow>();

/** Returns the rows of the history from the oldest to the newest, with dates and the divider after the last read message. */
export function buildRows(
  { messages, hasOlder, hasNewer, pending }: MessagesState,
  unread: { after: number | null } | undefined,
  toDate: (moment: string) => string,
): Row[] {
  const rows: Row[] = [];
  const firstUnread = unread === undefined ? undefined : firstAfter(messages, unread.after, hasOlder);
  // In the past it would move from row to row while pages are loaded.
  const withStatus = hasNewer || pending.length > 0 ? undefined : messages.find(hasReadState)?.id;
  let previous: MessageResponse | undefined;
  // If older messages exist, the first loaded message need not be the first of its day.
  const oldest = messages.at(-1);
  let dateBefore = hasOlder && oldest !== undefined ? toDate(oldest.sent_at) : undefined;
  for (const message of messages.toReversed()) {
    const date = toDate(message.sent_at);
    if (date !== dateBefore) {
      rows.push({ kind: 'date', key: `date ${date}`, date });
      previous = undefined;
      dateBefore = date;
    }
    if (message.id === firstUnread) {
      rows.push({ kind: 'unread', key: 'unread' });
      previous = undefined;
    }
    rows.push(rowOf(message, !isSameRun(previous, message), message.id === withStatus));
    previous = message;
  }
  for (const [index, message] of pending.entries())
    rows.push({
      kind: 'pending',
      key: `own ${message.clientMsgId}`,
      pending: message,
      isFirst: index === 0 && previous?.is_self !== true,
      hasStatus: index === pending.length - 1,
    });
  return rows;
}

function rowOf(message: MessageResponse, isFirst: boolean, hasStatus: boolean): MessageRow {
  const latest = latestRows.get(message);
  if (latest?.isFirst === isFirst && latest.hasStatus === hasStatus) return latest;
  const row: MessageRow = { kind: 'message', key: keyOf(message), message, isFirst, hasStatus };
  latestRows.set(message, row);
  return row;
}

/** A sent message has the key of its pending row, so that it stays the same row. */
const keyOf = ({ id, client_msg_id }: MessageResponse): string =>
  client_msg_id === null ? `message ${id}` : `own ${client_msg_id}`;

/** Whether a message can have been read: the user's own, neither a notice, nor recalled or deleted. */
const hasReadState = ({ is_self, kind, is_recalled, is_deleted }: MessageResponse): boolean =>
  is_self && kind === 'message' && !is_recalled && !is_deleted;

/** Returns the id of the first unread message; undefined if an earlier unread message may not be loaded. */
function firstAfter(
  messages: readonly MessageResponse[],
  after: number | null,
  hasOlder: boolean,
): number | undefined {
  const oldest = messages.at(-1)?.id ?? 0;
  const lastRead = after ?? 0;
  if (hasOlder && lastRead < oldest) return undefined;
  return messages.findLast(({ id, is_self, kind }) => id > lastRead && !is_self && kind === 'message')?.id;
}

const isSameRun = (previous: MessageResponse | undefined, message: MessageResponse): boolean =>
  previous?.sender_id === message.sender_id &&
  previous.kind === message.kind &&
  Date.parse(message.sent_at) - Date.parse(previous.sent_at) < MAX_GAP_MS;
