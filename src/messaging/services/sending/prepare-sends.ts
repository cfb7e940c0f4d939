import type { EntityManager } from 'typeorm';
import type { AuditContext } from '../../../audit/trail/audit-context';
import { BusinessError } from '../../../common/errors/business-error';
import type { SendMessageRequest } from '../../dto/message-requests.dto';
import { firstVisible } from '../../rules/history-range';
import type { MessageType } from '../../rules/message-content';
import { keptMentions, mayMentionAll, type Mentions, NO_MENTIONS } from '../../rules/mentions';
import type { Send } from '../../rules/send-batch';
import { type Message, messagesById } from '../../store/message.queries';
import { type Deletion, deletedAmong } from '../../store/marks/deletion-rows';
import { type MemberPlace, membersAmong, type Place } from '../../store/messages/mention-rows';
import type { SendContext, Sender } from '../../store/senders.queries';

/** A message that a request sends. */
export interface MessageSend extends Send<SendMessageRequest> {
  /** Of a request that is audited: one transaction writes the messages of several. */
  audit?: AuditContext;
}

/** What a member sends, with all that it refers to. */
export interface PreparedSend extends Mentions, Pick<Message, 'type' | 'content' | 'extra' | 'is_forwarded'> {
  /** What it answers. */
  original: Message | undefined;
}

/** What members' sends refer to, as it is while their conversations are held. */
interface References {
  /** By id, whoever sees them. */
  messages: Map<number, Message>;
  /** Members of conversations, by both. */
  members: Map<string, MemberPlace>;
  /** What members have deleted for themselves: `keyOf` and the number. */
  deleted: ReadonlySet<string>;
}

const keyOf = ({ conversation_id, user_id }: Place): string => `${conversation_id} ${user_id}`;

/**
 * What becomes of some sends: what they answer and forward is looked up, all of it with one statement, and whom they
 * mention; sends that refer to nothing ask nothing. The conversations are held, so what is found in them stays until the
 * commit (contract 16.3).
 * @returns for each send of a member what is to be written, or its sender's alone: MESSAGE_NOT_FOUND (what it answers or
 *   forwards is not there, not the sender's to see, recalled, deleted by the sender, or a notice), NOT_ALLOWED (across a block, or mentioning everybody of
 *   a large group)
 */
export async function prepareSends(
  em: EntityManager,
  sends: readonly MessageSend[],
  contexts: ReadonlyMap<number, SendContext>,
): Promise<Map<MessageSend, PreparedSend | BusinessError>> {
  const members = sends.flatMap((send) => {
    const context = contexts.get(send.conversationId);
    const sender = context?.senders.get(send.userId);
    return context === undefined || sender === undefined ? [] : [{ send, context, sender }];
  });
  const references = await referencesOf(em, members);
  return new Map(members.map((one) => [one.send, prepare(one, references)]));
}

/** A send of a member. */
interface MemberSend {
  send: MessageSend;
  context: SendContext;
  sender: Sender;
}

async function referencesOf(em: EntityManager, sends: readonly MemberSend[]): Promise<References> {
  const ids = sends.flatMap(({ send: { body } }) => [body.reply_to_id, body.forward_id]);
  const messages = await messagesById(em, [...new Set(ids.filter((id) => id !== undefined))]);
  // In a small group everybody is known, elsewhere those are asked for who are named.
  const named = sends.flatMap(({ send: { conversationId, body }, sender }) =>
    sender.type === 'group' && sender.pulled
      ? (body.mentions ?? []).map((user_id) => ({ conversation_id: conversationId, user_id }))
      : [],
  );
  const sources = sends.flatMap(({ send: { userId, body } }) => {
    const source = messages.get(body.forward_id ?? 0);
    return source === undefined ? [] : [{ conversation_id: source.conversation_id, user_id: userId }];
  });
  const places = new Map([...named, ...sources].map((place) => [keyOf(place), place]));
  const known = await membersAmong(em, [...places.values()]);
  const byKey = new Map<string, MemberPlace>([
    ...sends.map(({ sender }) => [keyOf(sender), sender] as const),
    ...known.map((place) => [keyOf(place), place] as const),
  ]);
  const doubtful = sends.flatMap(({ send: { userId, body } }) =>
    [body.reply_to_id, body.forward_id].flatMap((id) => {
      const message = messages.get(id ?? 0);
      const place = message && byKey.get(keyOf({ ...message, user_id: userId }));
      return message && place && place.last_deleted_seq >= message.seq
        ? [{ ...message, user_id: userId }]
        : [];
    }),
  );
  const deleted = await deletedAmong(em, doubtful);
  return { messages, members: byKey, deleted: new Set(deleted.map(deletionOf)) };
}

const deletionOf = (deletion: Deletion): string => `${keyOf(deletion)} ${deletion.seq}`;

/** Whether a message can be answered or forwarded by a user: it is the user's to see, and somebody's own words. */
function isThere(message: Message, userId: number, { members, deleted }: References): boolean {
  const place = { ...message, user_id: userId };
  const member = members.get(keyOf(place));
  if (member === undefined || message.seq < firstVisible(member)) return false;
  return !message.is_recalled && message.notice === null && !deleted.has(deletionOf(place));
}

function prepare(one: MemberSend, references: References): PreparedSend | BusinessError {
  const { body, conversationId, userId } = one.send;
  if (one.sender.blocked) return new BusinessError('NOT_ALLOWED');
  const { messages } = references;
  const original = messages.get(body.reply_to_id ?? 0);
  const mayAnswer = original?.conversation_id === conversationId && isThere(original, userId, references);
  if (body.reply_to_id !== undefined && !mayAnswer) return new BusinessError('MESSAGE_NOT_FOUND');

  const source = messages.get(body.forward_id ?? 0);
  const mayForward = source !== undefined && isThere(source, userId, references);
  if (body.forward_id !== undefined && !mayForward) return new BusinessError('MESSAGE_NOT_FOUND');

  const mentions = mentionsOf(one, references);
  if (mentions.mention_all && !mayMentionAll(one.sender)) return new BusinessError('NOT_ALLOWED');
  return { ...saidBy(body, source), ...mentions, original };
}

/** What a message says: what was sent, or what is forwarded. */
function saidBy(
  { type, content, extra }: SendMessageRequest,
  source: Message | undefined,
): Pick<PreparedSend, 'type' | 'content' | 'extra' | 'is_forwarded'> {
  if (source !== undefined)
    return { type: source.type, content: source.content, extra: source.extra, is_forwarded: true };
  // Where nothing is forwarded, the request has been found to have both.
  return { type: type as MessageType, content: content ?? '', extra: extra ?? null, is_forwarded: false };
}

/** Whom it mentions of those whom it names; in a single chat nobody. */
function mentionsOf({ send, context, sender }: MemberSend, { members: known }: References): Mentions {
  const { mentions = [], mention_all = false } = send.body;
  if (sender.type === 'single' || (mentions.length === 0 && !mention_all)) return NO_MENTIONS;
  const conversation_id = send.conversationId;
  const members = sender.pulled ? undefined : new Set(context.members.map(({ user_id }) => user_id));
  const isMember = (user_id: number): boolean =>
    members?.has(user_id) ?? known.has(keyOf({ conversation_id, user_id }));
  return { mentions: keptMentions(mentions, send.userId, isMember), mention_all };
}
