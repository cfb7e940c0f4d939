import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { ConversationEvents } from './conversation-events';
import type { MessageResponse } from './dto/message.dto';
import type { SendMessageRequest } from './dto/message-requests.dto';
import { contentHash } from './message-content';
import { allotIds, insertMessages, moveToTop, type NewMessage, takeNumbers } from './message-rows';
import { MessageViews } from './message-views.service';
import { recordFirstReads, recordReads } from './read-log';
import { type Scene, type Sender, sceneOf, usedIds } from './senders.queries';
import { fatesOf, type Standing, type Numbered, numberSends, type Send } from './sends';

export type MessageSend = Send<SendMessageRequest>;

/** A message that is written, as if it were the conversation's newest. */
interface Sent extends Numbered<MessageSend, Standing> {
  sender: Sender;
  message: NewMessage;
  /** Of the message before. */
  previousId: number | null;
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
   * The numbers are taken by an UPDATE whose lock lasts to the commit: numbers are in the order of commits, and those
   * that are not used are given back. The time is taken under the lock too, so it never runs against the numbers.
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
    await takeNumbers(em, conversationId, sends.length);
    const senderIds = [...new Set(sends.map(({ userId }) => userId))];
    const scene = await sceneOf(em, conversationId, senderIds, sends.length);
    const clientIds = sends.flatMap(({ body: { client_msg_id } }) => client_msg_id ?? []);
    const used = lookFirst ? await usedIds(em, conversationId, senderIds, clientIds) : [];
    const fates = fatesOf(sends, (userId) => scene.senders.has(userId), used);
    const fresh = sends.filter((_, index) => fates[index] === 'new');
    if (fresh.length < sends.length) await takeNumbers(em, conversationId, fresh.length - sends.length);
    const answers = (await this.#writeFresh(em, scene, fresh)).values();
    return fates.map((fate) => {
      if (fate === 'refused') return new BusinessError('CONVERSATION_FORBIDDEN');
      return fate === 'new' ? answers.next().value : undefined;
    });
  }

  /** @param sends of members, none of them sent before */
  async #writeFresh(em: EntityManager, scene: Scene, sends: MessageSend[]): Promise<MessageResponse[]> {
    const [group] = scene.senders.values();
    if (group === undefined || sends.length === 0) return [];
    const { conversation_id: id, pulled } = group;
    const now = this.clock.now();
    const numbered = numberSends(scene.top, scene.members, sends);
    const ids = await allotIds(
      em,
      id,
      numbered.map(({ seq }) => seq),
    );
    const sent = numbered.map((one, index): Sent => {
      const sender = { ...(scene.senders.get(one.send.userId) ?? group), max_seq: one.seq };
      const message = newMessage(sender, one.send.body, { id: ids[index] ?? 0, created_at: now });
      return { ...one, sender, message, previousId: ids[index - 1] ?? scene.topId };
    });
    await insertMessages(
      em,
      sent.map(({ message }) => message),
    );
    const positions = new Map(sent.map(({ send, seq }) => [send.userId, seq]));
    await moveToTop(em, { id, pulled }, positions, now);
    await recordReadsOf(em, group, sent, now);
    const answers = sent.map((one) => this.#tell(em, one, now));
    if (!pulled) await this.events.broughtBack(em, id, scene.hiding);
    return answers;
  }

  #tell(
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
