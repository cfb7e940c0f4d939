import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { Transactions } from '../../database/transactions';
import { MessageEvents } from '../events/message-events';
import { unreadCountOf } from '../store/unread-counts.store';
import { firstVisible } from '../rules/history-range.rules';
import type { UnreadCountResponse } from '../dto/conversation.dto';
import { lockMembership, type Membership, requireMembership } from '../store/membership.store';
import { seqOfMessage } from '../store/message.store';
import { advancePosition } from '../store/positions.store';
import { mayBeFirstReader, recordFirstReads, recordReads } from '../store/read-log.store';

/** Moves the read positions of members. A position only ever moves forward (API 8.8). */
@Injectable()
export class ReadPositionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: MessageEvents,
  ) {}

  /**
   * Marks a conversation read up to a message (the newest when not given).
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, MESSAGE_NOT_FOUND
   */
  async markRead(
    userId: UserId,
    conversationId: ConversationId,
    messageId?: number,
  ): Promise<UnreadCountResponse> {
    const em = this.transactions.read();
    // Read before the membership, so that the membership's `max_seq` covers the message.
    const seq = messageId === undefined ? undefined : await seqOfMessage(em, conversationId, messageId);
    const membership = await requireMembership(em, userId, conversationId);
    if (messageId !== undefined && (seq === undefined || seq < firstVisible(membership)))
      throw new BusinessError('MESSAGE_NOT_FOUND');
    const unreadCount = await this.advance(membership, seq ?? membership.max_seq);
    return { unread_count: unreadCount ?? (await unreadCountOf(em, userId, conversationId)) };
  }

  /**
   * Moves the member's position up to message number `to`, unless it is there already. A member who may be the first
   * reader of a message locks the conversation, because first reads are kept per conversation.
   * @returns the unread count after that; undefined when the position has not moved
   */
  async advance(membership: Membership, to: number): Promise<number | undefined> {
    const { conversation_id, user_id, read_seq } = membership;
    if (to <= read_seq) return undefined;
    return this.transactions.run(async (em) => {
      const isFirst = await mayBeFirstReader(em, membership, { from: read_seq + 1, to });
      const current = isFirst ? await lockMembership(em, user_id, conversation_id) : membership;
      return current && this.#move(em, current, { to, isFirst });
    });
  }

  /** Moves the position inside a transaction that locked the conversation before it read `membership`. */
  async advanceLocked(em: EntityManager, membership: Membership, to: number): Promise<void> {
    if (to <= membership.read_seq) return;
    const range = { from: membership.read_seq + 1, to };
    await this.#move(em, membership, { to, isFirst: await mayBeFirstReader(em, membership, range) });
  }

  /**
   * @param isFirst whether the member may be the first reader of a message; the caller then holds the conversation lock
   */
  async #move(
    em: EntityManager,
    membership: Membership,
    { to, isFirst }: { to: number; isFirst: boolean },
  ): Promise<number | undefined> {
    const { conversation_id, user_id } = membership;
    const advance = await advancePosition(em, membership, to);
    if (advance === undefined) return undefined;
    const { range, message_id, unread_count, mention_id } = advance;
    const read = { conversation_id, user_id, range, read_at: this.clock.now() };
    await recordReads(em, [read]);
    if (isFirst) await recordFirstReads(em, membership, [read]);
    this.events.read(em, {
      membership,
      up_to_message_id: message_id,
      unread_count,
      mention_id,
      read_at: read.read_at,
    });
    return unread_count;
  }
}
