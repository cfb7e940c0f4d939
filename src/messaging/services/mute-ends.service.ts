import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import type { ConversationId, UserId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { ConversationEvents } from '../events/conversation-events';
import { changeSettings, dueMuteEnds, takeMuteEnd } from '../store/member-settings.store';
import { findMembership, lockConversation } from '../store/membership.store';

const INTERVAL_MS = 1_000;
const BATCH_SIZE = 100;

/**
 * Ends mutes whose time is over (API 7.5). Responses compare `mute_until` with the clock, so that only the event
 * may be late. Runs on every instance; each mute is ended by the first that deletes its row in `mute_ends`.
 */
@Injectable()
export class MuteEndsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: ConversationEvents,
  ) {}

  /** Ends all expired mutes, each in its own transaction. Stops between two of them when `stopping` is aborted. */
  @Periodic({
    name: 'mute_ends',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to process expired mutes, retrying on the next run',
  })
  endDue(stopping?: AbortSignal): Promise<void> {
    return repeatWhile(async () => {
      const now = this.clock.now();
      const due = await dueMuteEnds(this.transactions.read(), now, BATCH_SIZE);
      for (const { user_id, conversation_id } of due) {
        if (stopping?.aborted) return false;
        await this.#end(user_id, conversation_id, now);
      }
      return due.length === BATCH_SIZE;
    }, stopping);
  }

  #end(userId: UserId, conversationId: ConversationId, now: Date): Promise<void> {
    return this.transactions.run(async (em) => {
      await lockConversation(em, conversationId);
      if (!(await takeMuteEnd(em, { user_id: userId, conversation_id: conversationId }, now))) return;
      const membership = await findMembership(em, userId, conversationId);
      if (membership === undefined) return;
      await changeSettings(em, membership, { mute_until: null });
      await this.events.updatedFor(em, conversationId, [userId]);
    });
  }
}
