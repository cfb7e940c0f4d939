import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import type { MessageId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { changeCounts, changeOf, shareOf } from '../store/conversation-counts';
import { ConversationEvents } from '../events/conversation-events';
import type { MessageResponse } from '../dto/message.dto';
import type { SendMessageRequest } from '../dto/message-requests.dto';
import type { ConversationType } from '../entities/conversation.entity';
import { contentHash } from '../rules/message-content';
import { allotIds, insertMessages, moveToTop, type NewMessage, raiseTop } from '../store/message-rows';
import { MessageViews } from '../views/message-views';
import { recordFirstReads, recordReads } from '../store/read-log';
import {
  type SendContext,
  type CountedMember,
  type Sender,
  lockSendContext,
  usedIds,
} from '../store/senders.queries';
import { outcomesOf, type Numbered, numberSends, type Send } from '../rules/send-batch';

export type MessageSend = Send<SendMessageRequest>;

/** A message that is written, as if it were the conversation's newest. */
interface Sent extends Numbered<MessageSend, CountedMember> {
  sender: Sender;
  message: NewMessage;
  /** The id of the message before. */
  previousId: MessageId | null;
}

/** Writes messages of one conversation in one transaction, as if each had its own. */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * The conversation is held from the first statement to the commit, so numbers are in the order of commits; the time is
   * taken under that lock too, so it never runs against them.
   * @param lookFirst whether to look which of the clients' ids were used before; else such a one fails all of it on
   *   its unique key
   * @returns for each send the message as its sender sees it, or undefined when it was sent before, or the error that
   *   is its sender's alone: CONVERSATION_FORBIDDEN
   */
  async write(
    em: EntityManager,
    conversationId: number,
    sends: readonly MessageSend[],
    { lookFirst }: { lookFirst: boolean },
  ): Promise<(MessageResponse | undefined | BusinessError)[]> {
    const senderIds = [...new Set(sends.map(({ userId }) => userId))];
    const context = await lockSendContext(em, conversationId, senderIds);
    const clientIds = sends.flatMap(({ body: { client_msg_id } }) => client_msg_id ?? []);
    const used = lookFirst ? await usedIds(em, conversationId, senderIds, clientIds) : [];
    const outcomes = outcomesOf(sends, (userId) => context.senders.has(userId), used);
    const fresh = sends.filter((_, index) => outcomes[index] === 'new');
    const answers = (await this.#writeFresh(em, context, fresh)).values();
    return outcomes.map((outcome) => {
      if (outcome === 'refused') return new BusinessError('CONVERSATION_FORBIDDEN');
      return outcome === 'new' ? answers.next().value : undefined;
    });
  }

  /** @param sends of members, none of them sent before */
  async #writeFresh(
    em: EntityManager,
    context: SendContext,
    sends: MessageSend[],
  ): Promise<MessageResponse[]> {
    const [group] = context.senders.values();
    if (group === undefined || sends.length === 0) return [];
    const { conversation_id: id, pulled: fanOutOnRead } = group;
    const now = this.clock.now();
    await raiseTop(em, id, context.top + sends.length);
    const numbered = numberSends(context.top, context.members, sends);
    const ids = await allotIds(
      em,
      id,
      numbered.map(({ seq }) => seq),
    );
    const sent = numbered.map((one, index): Sent => {
      const sender = { ...(context.senders.get(one.send.userId) ?? group), max_seq: one.seq };
      const message = newMessage(sender, one.send.body, { id: ids[index] as MessageId, created_at: now });
      return { ...one, sender, message, previousId: ids[index - 1] ?? context.topId };
    });
    await insertMessages(
      em,
      sent.map(({ message }) => message),
    );
    const positions = new Map(sent.map(({ send, seq }) => [send.userId, seq]));
    await moveToTop(em, group, positions, now);
    await recordReadsOf(em, group, sent, now);
    if (!fanOutOnRead) await countSent(em, group.type, context.members, sent.at(-1)?.members ?? []);
    const answers = sent.map((one) => this.#announce(em, one, now));
    if (!fanOutOnRead) await this.events.unhidden(em, id, context.hiding);
    return answers;
  }

  #announce(
    em: EntityManager,
    { sender, message, read, members, previousId }: Sent,
    read_at: Date,
  ): MessageResponse {
    if (read.from <= read.to)
      this.events.read(em, { membership: sender, up_to_message_id: previousId, unread_count: 0, read_at });
    const answer = this.views.describeNew(sender, message);
    this.events.created(em, sender, answer, members);
    return answer;
  }
}

/** The message that takes the number `max_seq`. */
function newMessage(
  { conversation_id, max_seq, user_id, name, avatar }: Sender,
  { type, content, extra, client_msg_id }: SendMessageRequest,
  rest: Pick<NewMessage, 'id' | 'created_at'>,
): NewMessage {
  return {
    ...rest,
    conversation_id,
    seq: max_seq,
    sender_id: user_id,
    sender_name: name,
    sender_avatar: avatar,
    type,
    content,
    extra: extra ?? null,
    is_recalled: false,
    client_msg_id: client_msg_id ?? null,
    content_hash: client_msg_id === undefined ? null : contentHash({ type, content, extra }),
  };
}

/**
 * Everybody has more to read who does not send, and nobody hides the conversation any longer.
 * @param before the members as they stood, `after` as they stand now
 */
async function countSent(
  em: EntityManager,
  type: ConversationType,
  before: CountedMember[],
  after: CountedMember[],
): Promise<void> {
  const unread = new Map(after.map(({ user_id, unread_count }) => [user_id, unread_count]));
  const changes = before.map((member) => {
    const now = { ...member, unread_count: unread.get(member.user_id) ?? 0, hidden: 0, pulled: 0 };
    return changeOf(member.user_id, shareOf({ ...member, pulled: 0 }), shareOf(now));
  });
  await changeCounts(em, type, changes);
}

/** What a sender had not read yet is read now; the message itself is nobody's to read but the others'. */
async function recordReadsOf(em: EntityManager, group: Sender, sent: Sent[], read_at: Date): Promise<void> {
  const reads = sent
    .filter(({ read }) => read.from <= read.to)
    .map(({ sender: { conversation_id, user_id }, read }) => {
      return { conversation_id, user_id, range: read, read_at };
    });
  if (reads.length === 0) return;
  await recordReads(em, reads);
  if (group.type === 'group') await recordFirstReads(em, group, reads);
}
