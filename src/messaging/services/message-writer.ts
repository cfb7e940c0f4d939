import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addUses } from '../../attachments/store/attachment-uses.store';
import { recordAuditFor } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import type { MessageId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { changeConversationCounts, countDelta } from '../store/conversation-counts.store';
import { ConversationEvents } from '../events/conversation-events';
import { MessageEvents, type SentMessage } from '../events/message-events';
import type { MessageResponse } from '../dto/message.dto';
import { usedAttachmentIdsIn } from '../rules/message-attachments.rules';
import { contentHash } from '../rules/message-content.rules';
import {
  allotIds,
  insertMessages,
  recordMentions,
  updateMembersAfterSends,
  type NewMessage,
  advanceMaxSeq,
} from '../store/message-insert.store';
import { SearchIndexService } from '../search/search-index.service';
import { pipeline } from '../../database/transaction-statements';
import { MessageViews } from '../views/message.views';
import { recordFirstReads, recordReads } from '../store/read-log.store';
import { lockSendContexts, type SendContext, type MessageSender, usedIds } from '../store/send-context.store';
import { type Numbered, numberSends, outcomesOf, unreadAfter } from '../rules/send-batch.rules';
import { type MessageSend, type PreparedSend, prepareSends } from './send-preparation';

/** A send with its number, and with its sender, whose `max_seq` it is. */
interface NumberedSend extends Numbered<MessageSend> {
  sender: MessageSender;
  prepared: PreparedSend;
}

/** The messages of a batch that are sent to one conversation. */
interface ConversationBatch {
  context: SendContext;
  sends: NumberedSend[];
}

/** Writes several messages in one transaction, with the result that separate transactions would have. */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: MessageEvents,
    private readonly conversationEvents: ConversationEvents,
    private readonly searchIndex: SearchIndexService,
  ) {}

  /**
   * Locks the conversations in the first statement and holds them until the commit, so that `seq` has the order of the
   * commits. Reads the clock under these locks, so that `created_at` has that order too.
   * @param lookUpUsedIds whether to look up which `client_msg_id`s were used before; otherwise a used one fails the
   *   whole batch on its unique key
   * @returns for each send the message as its sender sees it, undefined when it was sent before, or an error that
   *   concerns this send only: CONVERSATION_FORBIDDEN, or an error of `prepareSends`
   */
  async write(
    em: EntityManager,
    sends: readonly MessageSend[],
    { lookUpUsedIds }: { lookUpUsedIds: boolean },
  ): Promise<(MessageResponse | undefined | BusinessError)[]> {
    const memberKeys = sends.map(({ conversationId, userId }) => ({ conversationId, userId }));
    const contexts = await lockSendContexts(em, memberKeys);
    const prepared = await prepareSends(em, sends, contexts);
    const isRejected = (send: MessageSend): boolean => prepared.get(send) instanceof BusinessError;
    // A rejected send may be the repetition of an accepted one, which then returns its message.
    const mustLookUp = sends.some((send) => send.body.client_msg_id !== undefined && isRejected(send));
    const used = lookUpUsedIds || mustLookUp ? await usedIds(em, sends) : [];
    const outcomes = outcomesOf(
      sends,
      (send) => prepared.has(send),
      used,
      (send) => !isRejected(send),
    );
    const newSends = sends.filter((_, index) => outcomes[index] === 'new');
    const responses = await this.#insert(em, groupByConversation(newSends, contexts, prepared));
    return sends.map((send, index) => {
      if (outcomes[index] !== 'rejected') return responses.get(send);
      const error = prepared.get(send);
      return error instanceof BusinessError ? error : new BusinessError('CONVERSATION_FORBIDDEN');
    });
  }

  /** @param batches sends of members, none of them sent before */
  async #insert(em: EntityManager, batches: ConversationBatch[]): Promise<Map<MessageSend, MessageResponse>> {
    const responses = new Map<MessageSend, MessageResponse>();
    if (batches.length === 0) return responses;
    const now = this.clock.now();
    const maxSeqs = batches.map(
      ({ context: { conversation, maxSeq }, sends }) =>
        [conversation.conversation_id, maxSeq + sends.length] as const,
    );
    pipeline(em, advanceMaxSeq(em, new Map(maxSeqs)));
    const ids = await allotIds(
      em,
      batches.flatMap(({ sends }) =>
        sends.map(({ sender: { conversation_id }, seq }) => ({ conversation_id, seq })),
      ),
    );
    const written = batches.map((batch) => ({
      ...batch,
      messages: batch.sends.map((send) => newMessage(send, ids.shift() as MessageId, now)),
    }));
    const newMessages = written.flatMap(({ messages }) => messages);
    pipeline(em, insertMessages(em, newMessages));
    const moved = batches.map(({ context: { conversation }, sends }) => ({
      ...conversation,
      positions: new Map(sends.map(({ send, seq }) => [send.userId, seq])),
    }));
    pipeline(em, updateMembersAfterSends(em, moved, now));
    // These send no statement unless a message has attachments or mentions, or its sender had unread messages.
    // `prepareSends` has locked the attachments.
    await addUses(
      em,
      newMessages.flatMap(({ attachments }) => usedAttachmentIdsIn(attachments)),
    );
    await recordMentions(em, newMessages);
    await recordReadsOfSenders(em, batches, now);
    changeCountsOfMembers(em, batches);
    for (const { context, sends, messages } of written) {
      const sent = sends.map((numbered, index): SentMessage => {
        const { send, sender, prepared } = numbered;
        const message = messages[index] as NewMessage;
        const senderView = this.views.describeNew(sender, message, prepared.original);
        auditSentMessage(em, send, message);
        responses.set(send, senderView);
        const previousId = messages[index - 1]?.id ?? context.lastMessageId;
        const { traceparent } = send;
        return { sender, senderView, read: toReadReceipt(numbered, previousId, now), traceparent };
      });
      const { conversation_id, pulled } = context.conversation;
      this.searchIndex.noteFullBlock(em, conversation_id, context.maxSeq + sends.length, sends.length);
      this.events.sent(em, sent, context.members);
      const hidingIds = context.members.filter(({ hidden }) => hidden).map(({ user_id }) => user_id);
      if (!pulled) await this.conversationEvents.updatedFor(em, conversation_id, hidingIds);
    }
    return responses;
  }
}

/** Audits a message if its request is audited, such as one with an API key. Message content is private. */
function auditSentMessage(em: EntityManager, { audit }: MessageSend, message: NewMessage): void {
  const { id, conversation_id, type: message_type } = message;
  recordAuditFor(em, audit, { object_id: id, before: null, after: { conversation_id, message_type } });
}

/** Groups the sends by conversation and numbers them. */
function groupByConversation(
  sends: readonly MessageSend[],
  contexts: ReadonlyMap<number, SendContext>,
  prepared: ReadonlyMap<MessageSend, PreparedSend | BusinessError>,
): ConversationBatch[] {
  const grouped = Map.groupBy(sends, ({ conversationId }) => conversationId);
  return Array.from(grouped, ([id, conversationSends]) => {
    // Every send here has a context and a sender: `prepareSends` leaves out the sends of users who are not members.
    const context = contexts.get(id) as SendContext;
    const numbered = numberSends(context.maxSeq, context.members, conversationSends);
    const withSender = numbered.map((item) => {
      // The message is then the newest one.
      const sender = { ...(context.senders.get(item.send.userId) as MessageSender), max_seq: item.seq };
      return { ...item, sender, prepared: prepared.get(item.send) as PreparedSend };
    });
    return { context, sends: withSender };
  });
}

/** Returns the message to insert. */
function newMessage(
  { send: { body }, seq, sender, prepared: { original, ...content } }: NumberedSend,
  id: MessageId,
  created_at: Date,
): NewMessage {
  return {
    ...content,
    id,
    created_at,
    conversation_id: sender.conversation_id,
    seq,
    sender_id: sender.user_id,
    sender_name: sender.name,
    sender_avatar: sender.avatar,
    is_recalled: false,
    reply_seq: original?.seq ?? null,
    edited_at: null,
    has_reactions: false,
    notice: null,
    client_msg_id: body.client_msg_id ?? null,
    content_hash: body.client_msg_id === undefined ? null : contentHash(body),
  };
}

/** Returns the read receipt of the messages that the sender reads by sending; undefined if none was unread. */
function toReadReceipt(
  { sender, read }: NumberedSend,
  up_to_message_id: MessageId | null,
  read_at: Date,
): SentMessage['read'] {
  return read.from <= read.to
    ? { membership: sender, up_to_message_id, unread_count: 0, mention_id: null, read_at }
    : undefined;
}

/** Updates the members' conversation counts: their unread messages, and the conversations that are no longer hidden. */
function changeCountsOfMembers(em: EntityManager, batches: readonly ConversationBatch[]): void {
  const changes = batches
    .filter(({ context }) => !context.conversation.pulled)
    .flatMap(({ context, sends }) => {
      const { type } = context.conversation;
      const senders = sends.map(({ send }) => send.userId);
      return context.members.map((member) => {
        const before = { ...member, pulled: 0 };
        return countDelta(type, before, { ...before, unread_count: unreadAfter(member, senders), hidden: 0 });
      });
    });
  changeConversationCounts(em, changes);
}

/** Records that the senders have read what was unread before their messages. Own messages are not recorded as read. */
async function recordReadsOfSenders(
  em: EntityManager,
  batches: readonly ConversationBatch[],
  read_at: Date,
): Promise<void> {
  const readsOf = ({ sends }: ConversationBatch) =>
    sends
      .filter(({ read }) => read.from <= read.to)
      .map(({ sender: { conversation_id, user_id }, read }) => {
        return { conversation_id, user_id, range: read, read_at };
      });
  const allReads = batches.flatMap(readsOf);
  if (allReads.length === 0) return;
  await recordReads(em, allReads);
  for (const batch of batches) {
    const reads = readsOf(batch);
    const { conversation } = batch.context;
    if (conversation.type === 'group' && reads.length > 0) await recordFirstReads(em, conversation, reads);
  }
}
