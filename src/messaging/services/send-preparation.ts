import type { EntityManager } from 'typeorm';
import type { AuditContext } from '../../audit/recording/audit-context';
import { type LockedAttachment, lockReady } from '../../attachments/store/attachment-uses.store';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { SendMessageRequest } from '../dto/message-requests.dto';
import { firstVisible } from '../rules/history-range.rules';
import {
  areSendableAs,
  extraWith,
  type MessageAttachment,
  NO_ATTACHMENTS,
  toMessageAttachment,
  usedAttachmentIdsIn,
} from '../rules/message-attachments.rules';
import {
  attachmentField,
  attachmentIdsOf,
  type MessageType,
  usedAttachmentIdsOf,
} from '../rules/message-content.rules';
import { keptMentions, mayMentionAll, type Mentions, NO_MENTIONS } from '../rules/mentions.rules';
import type { Send } from '../rules/send-batch.rules';
import { type MessageRow, messagesById } from '../store/message.store';
import { type Deletion, deletedAmong } from '../store/deletion.store';
import {
  type MemberKey,
  type MemberPlace,
  membersAmong,
  type MessageSender,
  type SendContext,
} from '../store/send-context.store';

/** A message to send, as a request contains it. */
export interface MessageSend extends Send<SendMessageRequest> {
  /**
   * Set if the request is audited. Kept per message, because one transaction writes the messages of several requests.
   */
  audit?: AuditContext;
  /** Trace of the request, kept per message for the same reason. */
  traceparent?: string;
}

/** The fields of a message that are copied when it is forwarded, and whether it was. */
type Content = 'type' | 'content' | 'extra' | 'attachments' | 'is_forwarded';

/** A member's message, with the message and the members that it refers to. */
export interface PreparedSend extends Mentions, Pick<MessageRow, Content> {
  /** The message that it replies to. */
  original: MessageRow | undefined;
}

/** Attachments by id, locked until the commit. */
type LockedAttachments = ReadonlyMap<number, LockedAttachment>;

/** Messages and members that the sends refer to, read while their conversations are locked. */
interface References {
  /** By id, whether the sender sees them or not. */
  messages: Map<number, MessageRow>;
  /** By `keyOf`. */
  members: Map<string, MemberPlace>;
  /** Messages that a member has deleted in their own view, by `deletionOf`. */
  deleted: ReadonlySet<string>;
  attachments: LockedAttachments;
}

const keyOf = ({ conversation_id, user_id }: MemberKey): string => `${conversation_id} ${user_id}`;

/**
 * Looks up what the sends reply to, forward and mention, for all sends together: the messages, the members, the
 * deletions and the attachments with one statement each. Sends without references cause no statement. The conversations
 * are locked, so what is found in them stays valid until the commit (API 8.5).
 * @returns for each send of a member the message to write, or an error that concerns this send only: MESSAGE_NOT_FOUND
 *   (the message to reply to or to forward does not exist, is not visible to the sender, is recalled, deleted by the
 *   sender, or a notice), an error of `attachmentsFor`, NOT_ALLOWED (across a block, or a mention of all members of a
 *   large group by a member who is not its owner)
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
  const references = await loadReferences(em, members);
  return new Map(members.map((member) => [member.send, prepare(member, references)]));
}

/** A send of a member. */
interface MemberSend {
  send: MessageSend;
  context: SendContext;
  sender: MessageSender;
}

async function loadReferences(em: EntityManager, sends: readonly MemberSend[]): Promise<References> {
  const ids = sends.flatMap(({ send: { body } }) => [body.reply_to_id, body.forward_id]);
  const messages = await messagesById(em, [...new Set(ids.filter((id) => id !== undefined))]);
  // All members of a small group are read already; in a large one the mentioned users are looked up.
  const mentioned = sends.flatMap(({ send: { conversationId, body }, sender }) =>
    sender.type === 'group' && sender.pulled
      ? (body.mentions ?? []).map((user_id) => ({ conversation_id: conversationId, user_id }))
      : [],
  );
  const sources = sends.flatMap(({ send: { userId, body } }) => {
    const source = messages.get(body.forward_id ?? 0);
    return source === undefined ? [] : [{ conversation_id: source.conversation_id, user_id: userId }];
  });
  const keys = new Map([...mentioned, ...sources].map((key) => [keyOf(key), key]));
  const foundMembers = await membersAmong(em, [...keys.values()]);
  const byKey = new Map<string, MemberPlace>([
    ...sends.map(({ sender }) => [keyOf(sender), sender] as const),
    ...foundMembers.map((member) => [keyOf(member), member] as const),
  ]);
  // `last_deleted_seq` rules out most of them without a statement.
  const possiblyDeleted = sends.flatMap(({ send: { userId, body } }) =>
    [body.reply_to_id, body.forward_id].flatMap((id) => {
      const message = messages.get(id ?? 0);
      const member = message && byKey.get(keyOf({ ...message, user_id: userId }));
      return message && member && member.last_deleted_seq >= message.seq
        ? [{ ...message, user_id: userId }]
        : [];
    }),
  );
  const deleted = await deletedAmong(em, possiblyDeleted);
  const attachmentIds = sends.flatMap(({ send: { body } }) => [
    ...usedAttachmentIdsOf(body),
    ...usedAttachmentIdsIn(messages.get(body.forward_id ?? 0)?.attachments ?? NO_ATTACHMENTS),
  ]);
  const attachments = await lockReady(em, [...new Set(attachmentIds)]);
  return { messages, members: byKey, deleted: new Set(deleted.map(deletionOf)), attachments };
}

const deletionOf = (deletion: Deletion): string => `${keyOf(deletion)} ${deletion.seq}`;

/** Whether a user can reply to a message or forward it: the user sees it, and it is neither recalled nor a notice. */
function canReferTo(message: MessageRow, userId: number, { members, deleted }: References): boolean {
  const key = { ...message, user_id: userId };
  const member = members.get(keyOf(key));
  if (member === undefined || message.seq < firstVisible(member)) return false;
  return !message.is_recalled && message.notice === null && !deleted.has(deletionOf(key));
}

function prepare(memberSend: MemberSend, references: References): PreparedSend | BusinessError {
  const { body, conversationId, userId } = memberSend.send;
  const { messages } = references;
  const original = messages.get(body.reply_to_id ?? 0);
  const canReply = original?.conversation_id === conversationId && canReferTo(original, userId, references);
  if (body.reply_to_id !== undefined && !canReply) return new BusinessError('MESSAGE_NOT_FOUND');

  const source = messages.get(body.forward_id ?? 0);
  const canForward = source !== undefined && canReferTo(source, userId, references);
  if (body.forward_id !== undefined && !canForward) return new BusinessError('MESSAGE_NOT_FOUND');

  const attachments = attachmentsFor(memberSend.send, source, references.attachments);
  if (attachments instanceof BusinessError) return attachments;

  const mentions = mentionsOf(memberSend, references);
  const mayMention = !mentions.mention_all || mayMentionAll(memberSend.sender);
  if (memberSend.sender.blocked || !mayMention) return new BusinessError('NOT_ALLOWED');
  return { ...contentOf(body, source, attachments), ...mentions, original };
}

/** Returns the content of the request, or of the message that it forwards, with its attachments. */
function contentOf(
  body: SendMessageRequest,
  source: MessageRow | undefined,
  attachments: readonly MessageAttachment[],
): Pick<PreparedSend, Content> {
  if (source !== undefined) {
    const { type, content, extra } = source;
    return { type, content, extra, attachments, is_forwarded: true };
  }
  const { type, content, extra } = body;
  const [first] = attachments;
  // Validation requires `type`, and `content` or attachments, unless the request forwards a message.
  return {
    type: type as MessageType,
    content: content ?? '',
    extra: first === undefined ? (extra ?? null) : extraWith(extra ?? null, first),
    attachments,
    is_forwarded: false,
  };
}

/** Returns the mentions of users who are members; none in a single chat. */
function mentionsOf({ send, context, sender }: MemberSend, { members: foundMembers }: References): Mentions {
  const { mentions = [], mention_all = false } = send.body;
  if (sender.type === 'single' || (mentions.length === 0 && !mention_all)) return NO_MENTIONS;
  const conversation_id = send.conversationId;
  const memberIds = sender.pulled ? undefined : new Set(context.members.map(({ user_id }) => user_id));
  const isMember = (user_id: number): boolean =>
    memberIds?.has(user_id) ?? foundMembers.has(keyOf({ conversation_id, user_id }));
  return { mentions: keptMentions(mentions, send.userId, isMember), mention_all };
}

/**
 * Returns the attachments of a message to send, or the error of this send: ATTACHMENT_NOT_FOUND (unknown, deleted, or of
 * another user), VALIDATION (not of the type of the message, or a poster that is no image), MESSAGE_NOT_FOUND (those of the
 * forwarded message were deleted meanwhile).
 */
function attachmentsFor(
  { userId, body }: MessageSend,
  source: MessageRow | undefined,
  locked: LockedAttachments,
): readonly MessageAttachment[] | BusinessError {
  if (source !== undefined) {
    const areReady = usedAttachmentIdsIn(source.attachments).every((id) => locked.has(id));
    return areReady ? source.attachments : new BusinessError('MESSAGE_NOT_FOUND');
  }
  const attachments = attachmentIdsOf(body).map((id) => locked.get(id));
  const own = attachments.filter((attachment) => attachment?.user_id === userId) as LockedAttachment[];
  if (own.length < attachments.length) return new BusinessError('ATTACHMENT_NOT_FOUND');
  if (!areSendableAs(body.type, own)) return invalidField(attachmentField(body), 'invalid');
  const poster = body.poster_attachment_id === undefined ? undefined : posterOf(userId, body, locked);
  if (poster instanceof BusinessError) return poster;
  // The poster is that of the first video, whose properties `extra` has too.
  return own.map((attachment, index) => ({
    ...toMessageAttachment(attachment),
    ...(index === 0 && poster !== undefined && { poster }),
  }));
}

function posterOf(
  userId: number,
  { poster_attachment_id }: SendMessageRequest,
  locked: LockedAttachments,
): MessageAttachment | BusinessError {
  const image = locked.get(poster_attachment_id ?? 0);
  if (image?.user_id !== userId) return new BusinessError('ATTACHMENT_NOT_FOUND');
  if (image.type !== 'image') return invalidField('poster_attachment_id', 'invalid');
  return toMessageAttachment(image);
}
