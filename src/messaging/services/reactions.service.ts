import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { MessageId, UserId } from '../../common/ids';
import { Metrics } from '../../common/metrics';
import { assertNotBlocked } from '../../people/blocks/blocks.store';
import type { ReactionsResponse, ReactRequest } from '../dto/message-marks.dto';
import { MarkEvents } from '../events/mark-events';
import { MAX_EMOJIS, withReaction } from '../rules/reactions.rules';
import { reactionsIn, storeReaction } from '../store/reaction.store';
import { requireVisible } from '../store/visible-message.store';
import { toReactions } from '../views/message-marks.views';
import { LockedConversations } from './locked-conversations';

/** Adds and removes reactions to messages (API 8.9). */
@Injectable()
export class ReactionsService {
  readonly #changes: Counter<'act'>;

  constructor(
    private readonly conversations: LockedConversations,
    private readonly clock: Clock,
    private readonly events: MarkEvents,
    metrics: Metrics,
  ) {
    const help = 'Reactions to messages that this instance has added or removed';
    this.#changes = metrics.counter('callboard_message_reactions_total', help, ['act']);
  }

  /**
   * Adds the user's reaction with an emoji to a message, or removes it. Is idempotent.
   * @returns all reactions to the message after the change
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user, or recalled), NOT_ALLOWED (a notice, or
   *   across a block), VALIDATION (the 21st emoji)
   */
  async react(
    userId: UserId,
    messageId: MessageId,
    { emoji, reacted }: ReactRequest,
  ): Promise<ReactionsResponse> {
    let hasChanged = false;
    const tallies = await this.conversations.withMessage(
      requireVisible,
      userId,
      messageId,
      async (em, { membership, message }) => {
        if (message.notice !== null) throw new BusinessError('NOT_ALLOWED');
        if (message.is_recalled) throw new BusinessError('MESSAGE_NOT_FOUND');
        await assertNotBlocked(em, userId, membership.peer_id);
        const { seq } = message;
        const before = message.has_reactions
          ? ((await reactionsIn(em, membership, { from: seq, to: seq })).get(seq) ?? [])
          : [];
        const change = withReaction(before, emoji, reacted);
        // Set in every run, since the transaction may be retried.
        hasChanged = change !== 'unchanged';
        if (change === 'unchanged') return before;
        if (change === 'full') throw invalidField('emoji', (catalogue) => catalogue.tooMany(MAX_EMOJIS));
        await storeReaction(em, message, userId, change, this.clock.now());
        const { changed } = change;
        await this.events.reacted(em, membership, seq, {
          conversation_id: message.conversation_id,
          message_id: message.id,
          user_id: userId,
          emoji: changed.emoji,
          reacted,
          count: changed.count,
        });
        return change.tallies;
      },
    );
    if (hasChanged) this.#changes.inc({ act: reacted ? 'added' : 'taken_back' });
    return { reactions: toReactions(tallies) };
  }
}
