import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { byPrimaryKey } from '../database/row-lock';
import { affectedBy } from '../database/statements';
import { Transactions } from '../database/transactions';
import { ConversationEvents } from './conversation-events';
import { positionOf, unreadCountOf } from './conversation.queries';
import type { UnreadCountResponse } from './dto/conversation.dto';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import type { SeqRange } from './history-range';
import { findMembership, lockConversation, type Membership, requireMembership } from './membership';
import { seqOfMessage } from './message.queries';
import { mayBeFirstReader, recordFirstReads, recordReads } from './read-log';

/** How far each member has read. A position only ever moves forward (contract 6). */
@Injectable()
export class ReadPositions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * Marks a conversation read up to a message (the newest when not given).
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, MESSAGE_NOT_FOUND
   */
  async markRead(conversationId: number, userId: number, messageId?: number): Promise<UnreadCountResponse> {
    const em = this.dataSource.manager;
    // Looked up first: what exists by then is among what the membership's row knows of.
    const seq = messageId === undefined ? undefined : await seqOfMessage(em, conversationId, messageId);
    const membership = await requireMembership(em, conversationId, userId);
    if (messageId !== undefined && (seq === undefined || seq < membership.join_seq))
      throw new BusinessError('MESSAGE_NOT_FOUND');
    const left = await this.advance(membership, seq ?? membership.max_seq);
    return { unread_count: left ?? (await unreadCountOf(em, conversationId, userId)) };
  }

  /**
   * Moves the member's position up to message number `to`, unless it is there already.
   * @returns what is then unread; undefined when nothing has moved
   */
  async advance(membership: Membership, to: number): Promise<number | undefined> {
    const { conversation_id, user_id, read_seq } = membership;
    if (to <= read_seq) return undefined;
    return this.transactions.run(async (em) => {
      const isFirst = await mayBeFirstReader(em, membership, { from: read_seq + 1, to });
      if (isFirst) await lockConversation(em, conversation_id);
      const current = isFirst ? await findMembership(em, conversation_id, user_id) : membership;
      if (current === undefined) return undefined;
      const range = await movePosition(em, current, to);
      if (range === undefined) return undefined;
      const read = { conversation_id, user_id, range, read_at: this.clock.now() };
      await recordReads(em, [read]);
      if (isFirst) await recordFirstReads(em, current, [read]);
      const { message_id, unread_count } = await positionOf(em, current, to);
      this.events.read(em, {
        membership: current,
        up_to_message_id: message_id,
        unread_count,
        read_at: read.read_at,
      });
      return unread_count;
    });
  }
}

/**
 * Compare-and-set from the position that is known; when it has moved meanwhile, from where it is now.
 * @returns the messages that have become read, or undefined when another request was further already
 */
async function movePosition(
  em: EntityManager,
  { conversation_id, user_id, read_seq }: Membership,
  to: number,
): Promise<SeqRange | undefined> {
  let position: number | undefined = read_seq;
  while (position !== undefined && position < to) {
    const moved = await affectedBy(
      em,
      `UPDATE conversation_members ${byPrimaryKey(em)} SET read_seq = ?
       WHERE conversation_id = ? AND user_id = ? AND read_seq = ?`,
      [to, conversation_id, user_id, position],
    );
    if (moved > 0) return { from: position + 1, to };
    position = (await em.findOneBy(ConversationMemberEntity, { conversation_id, user_id }))?.read_seq;
  }
  return undefined;
}
