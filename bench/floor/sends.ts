import { createHash } from 'node:crypto';
import { notMeasured, HttpError } from '../baseline/http';
import { dateTime } from '../baseline/local-time';
import { toMessage } from '../baseline/messages';
import { Batches } from './batches';
import { select, type Transaction } from './database';
import { append, type NewEvent } from './event-log';
import type { Routes } from './http';
import {
  addUnread,
  advance,
  allotIds,
  type Conversation,
  insertMessages,
  insertReadings,
  lockConversations,
  lockMembers,
  type Member,
  moveMembers,
  type Reading,
  type Row,
} from './send-rows';

interface Send {
  user: number;
  conversation: number;
  content: string;
  clientMsgId: string | null;
}

type View = ReturnType<typeof toMessage>;

/** A send with its number, and the messages that its sender reads by it. */
interface Numbered {
  send: Send;
  sender: Member;
  seq: number;
  read?: Reading;
}

/** The sends of a batch to one conversation. */
interface Group {
  conversation: Conversation;
  members: Member[];
  sends: Numbered[];
  firstReads: Reading[];
  /** The responses, once the ids are known. */
  views: Map<Send, View>;
}

/** Groups that are fanned out on read. A group never stops being one. */
const large = new Set<number>();
const known = new Set<number>();

const batches = new Batches<Send, View>({
  // The sender's event cursor and counts are locked too.
  keysOf: ({ conversation, user }) => [`conversation ${conversation}`, `user ${user}`],
  mayRepeatKey: true,
  work: write,
});

export const SENDS: Routes = {
  'POST /api/messages/conversations/:id/messages': async ({ user, id, body }) => {
    const { type, content, client_msg_id } = body;
    if (type !== 'text' || Object.keys(body).some((field) => !FIELDS.has(field)))
      throw notMeasured('a message that is more than a text');
    if (typeof content !== 'string' || content.trim() === '')
      throw new HttpError(422, 422, 'content 字段不能为空');
    if (content.length > 5_000) throw new HttpError(422, 422, 'content 长度不能超过 5000 个字符');
    await learnSize(id);
    const clientMsgId = typeof client_msg_id === 'string' ? client_msg_id : null;
    return { data: await batches.run({ user, conversation: id, content, clientMsgId }) };
  },
};

const FIELDS = new Set(['type', 'content', 'client_msg_id']);

/** Looks up once whether a conversation is fanned out on read: the members of such a group must not all be locked. */
async function learnSize(id: number): Promise<void> {
  if (known.has(id)) return;
  const [row] = await select<{ pulled: number }>('SELECT pulled FROM conversations WHERE id = ?', [id]);
  if (row?.pulled === 1) large.add(id);
  known.add(id);
}

/** Three round trips and the commit: locks; positions and ids; messages, events and counts, which contain the ids. */
async function write(tx: Transaction, sends: Send[]): Promise<(View | Error)[]> {
  const [conversations, members] = await Promise.all([
    lockConversations(tx, sends),
    lockMembers(tx, sends, large),
  ]);
  const now = new Date();
  const groups = group(sends, conversations, members);
  if (groups.length > 0) await insert(tx, groups, now);
  const views = new Map(groups.flatMap((one) => [...one.views]));
  return sends.map((send) => views.get(send) ?? new HttpError(403, 403, '无权访问此会话'));
}

async function insert(tx: Transaction, groups: Group[], now: Date): Promise<void> {
  const all = groups.flatMap(({ sends }) => sends);
  const firstId = allotIds(
    tx,
    all.map(({ send, seq }) => ({ conversation: send.conversation, seq })),
  );
  advance(
    tx,
    groups.map(({ conversation, sends, firstReads }) => ({
      id: conversation.id,
      maxSeq: conversation.max_seq + sends.length,
      firstRead: Math.max(conversation.first_read_seq, ...firstReads.map(({ to }) => to)),
    })),
  );
  const positions = new Map(
    all.map(({ send, seq }) => [`${send.conversation} ${send.user}`, { ...send, seq }]),
  );
  moveMembers(tx, [...positions.values()], large, now);
  insertReadings(
    tx,
    all.flatMap(({ read }) => read ?? []),
    groups.flatMap(({ firstReads }) => firstReads),
    now,
  );
  let id = await firstId;
  const rows: Row[] = [];
  const events: NewEvent[] = [];
  for (const one of groups) {
    const ids = one.sends.map(() => id++);
    rows.push(...one.sends.map((send, index) => toRow(send, ids[index] ?? 0)));
    const views = one.sends.map((send, index) => toView(one.conversation, send, ids[index] ?? 0, now));
    one.views = new Map(one.sends.map(({ send }, index) => [send, views[index] as View]));
    events.push(...(one.conversation.pulled ? topicEvents : memberEvents)(one, views, now));
  }
  insertMessages(tx, rows, now);
  append(tx, events, now);
  addUnread(tx, groups.flatMap(unreadChanges));
}

/** Groups the sends of members by conversation, and numbers them. */
function group(sends: Send[], conversations: Conversation[], members: Member[]): Group[] {
  const membersOf = Map.groupBy(members, ({ conversation_id }) => conversation_id);
  return conversations.flatMap((conversation) => {
    const own = membersOf.get(conversation.id) ?? [];
    if (own.some(({ hidden }) => hidden)) throw notMeasured('a send to a hidden conversation');
    const byUser = new Map(own.map((member) => [member.user_id, member]));
    const positions = new Map(own.map(({ user_id, read_seq }) => [user_id, read_seq]));
    let seq = conversation.max_seq;
    let firstRead = conversation.first_read_seq;
    const firstReads: Reading[] = [];
    const numbered = sends.flatMap((send): Numbered[] => {
      const sender = send.conversation === conversation.id ? byUser.get(send.user) : undefined;
      if (sender === undefined) return [];
      if (sender.blocked) throw notMeasured('a send to a blocked user');
      seq += 1;
      const read = { ...send, from: (positions.get(send.user) ?? seq) + 1, to: seq - 1 };
      positions.set(send.user, seq);
      if (read.from > read.to) return [{ send, sender, seq }];
      if (conversation.type === 'group' && read.to > firstRead) {
        if (read.from > firstRead + 1) throw notMeasured('gaps between first reads');
        firstReads.push({ ...read, from: firstRead + 1 });
        firstRead = read.to;
      }
      return [{ send, sender, seq, read }];
    });
    if (numbered.length === 0) return [];
    return [{ conversation, members: own, sends: numbered, firstReads, views: new Map() }];
  });
}

const toRow = ({ send, seq }: Numbered, id: number): Row => ({
  conversation: send.conversation,
  seq,
  id,
  sender: send.user,
  content: send.content,
  clientMsgId: send.clientMsgId,
  hash: send.clientMsgId === null ? null : hashOf(send.content),
});

/** Hash of a text as it was sent, with which a repetition under the same `client_msg_id` is compared. */
const hashOf = (content: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['text', content, null]))
    .digest('base64url');

const toView = (
  { member_count }: Conversation,
  { send, sender, seq }: Numbered,
  id: number,
  now: Date,
): View =>
  toMessage(
    {
      conversation_id: send.conversation,
      seq,
      id,
      sender_id: send.user,
      type: 'text',
      content: send.content,
      extra: null,
      created_at: now,
      recalled_at: null,
      client_msg_id: send.clientMsgId,
      sender_name: sender.name,
      sender_avatar: sender.avatar,
    },
    send.user,
    { readAt: undefined, read: 0, unread: member_count - 1 },
  );

/** Payload of `conversation.read`, for the reader or for the peer of a single chat. */
export const readPayload = (
  { conversation, user }: Pick<Reading, 'conversation' | 'user'>,
  upTo: number | null,
  now: Date,
  unread: number | null,
): string =>
  JSON.stringify({
    conversation_id: conversation,
    user_id: user,
    up_to_message_id: upTo,
    read_at: dateTime(now),
    unread_count: unread,
    mention_id: null,
  });

/** Events of a small conversation: for each member one run, interrupted by read receipts and own messages. */
function memberEvents({ conversation, members, sends }: Group, views: View[], now: Date): NewEvent[] {
  const text = views
    .map((view) => {
      const message = { ...view, is_self: undefined, client_msg_id: null };
      return `${JSON.stringify({ conversation_id: conversation.id, message }).slice(0, -2)},`;
    })
    .join('\n');
  const type = 'message.created';
  return members.flatMap(({ user_id: user, unread: before }) => {
    const events: NewEvent[] = [];
    let unread = before;
    let run: NewEvent | undefined;
    for (const [line, { send, read }] of sends.entries()) {
      const isSelf = send.user === user;
      unread = isSelf ? 0 : unread + 1;
      if (read !== undefined && (isSelf || conversation.type === 'single')) {
        const upTo = views[line - 1]?.id ?? conversation.top_id;
        const payload = readPayload(read, upTo, now, isSelf ? 0 : null);
        events.push({ log: user, type: 'conversation.read', payload });
        run = undefined;
      }
      if (isSelf) {
        run = undefined;
        events.push(ownEvent(user, text, line, views[line] as View));
      } else if (run === undefined) {
        run = {
          log: user,
          type,
          payload: `"is_self":false},"unread_count":`,
          shared: { text, line },
          length: 1,
          number: unread,
        };
        events.push(run);
      } else run.length = (run.length ?? 1) + 1;
    }
    return events;
  });
}

/** The sender's event of a message. A message with a `client_msg_id` is stored whole, since only the sender sees that. */
function ownEvent(log: number, text: string, line: number, message: View): NewEvent {
  const type = 'message.created';
  if (message.client_msg_id === null)
    return { log, type, payload: '"is_self":true},"unread_count":0}', shared: { text, line } };
  const { conversation_id } = message;
  return { log, type, payload: JSON.stringify({ conversation_id, message, unread_count: 0 }) };
}

/** Events of a large group: read receipts of the senders, and one event of the group's topic for each message. */
function topicEvents({ conversation, sends }: Group, views: View[], now: Date): NewEvent[] {
  return sends.flatMap(({ send, seq, read }, index) => {
    const upTo = views[index - 1]?.id ?? conversation.top_id;
    const receipt = read && {
      log: send.user,
      type: 'conversation.read',
      payload: readPayload(read, upTo, now, 0),
    };
    const payload = JSON.stringify({ message: views[index], seq });
    return [...(receipt ? [receipt] : []), { log: -conversation.id, type: 'message.created', payload }];
  });
}

function unreadChanges({ conversation, members, sends }: Group) {
  if (conversation.pulled) return [];
  return members
    .filter(({ muted }) => !muted)
    .map(({ user_id: user, unread: before }) => {
      const lastOwn = sends.findLastIndex(({ send }) => send.user === user);
      const after = lastOwn === -1 ? before + sends.length : sends.length - 1 - lastOwn;
      return { user, type: conversation.type, unread: after - before };
    });
}
