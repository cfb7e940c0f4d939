import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '../../common/clock';
import { Throttle } from '../../common/concurrency/throttle';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { BusinessError } from '../../common/errors/business-error';
import { Metrics } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import type { ConversationUser } from '../../people/contact-graph';
import { typingAudience } from './typing.store';

/** Minimum interval between two events that the same user is typing in the same conversation. */
const INTERVAL_MS = 3_000;
const TICK_MS = 250;

/**
 * Notifies the other members of a conversation that a user is typing (API 9.6). The events are ephemeral: they
 * have no cursor and are not stored. They are throttled to one in three seconds for each user and conversation.
 */
@Injectable()
export class TypingService {
  readonly #throttle = new Throttle<ConversationUser>(INTERVAL_MS);
  readonly #counter: Counter<'outcome'>;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.#counter = metrics.counter(
      'callboard_typing_total',
      'Typing requests, by whether they were passed on to members',
      ['outcome'],
    );
  }

  /** Handles a request of a user who is typing or has stopped. @throws {BusinessError} CONVERSATION_FORBIDDEN */
  async take(userId: number, conversationId: number, typing: boolean): Promise<void> {
    const place = { userId, conversationId };
    const audience = await typingAudience(this.transactions.read(), place);
    if (audience === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    if (audience.length === 0 || !this.events.hasConnections) return this.#count('dropped');
    const key = `${conversationId}:${userId}`;
    const now = this.clock.now().getTime();
    const decision = typing ? this.#throttle.take(key, place, now) : this.#throttle.end(key, now);
    if (decision === 'emit') this.#publish(place, audience, typing);
    else if (decision === 'drop') this.#count('dropped');
  }

  /** Publishes the deferred events that are due, to the members who may be notified now. */
  @Periodic({
    name: 'typing',
    everyMs: TICK_MS,
    onFailure: 'Failed to publish deferred typing events, dropping them',
  })
  async tick(): Promise<void> {
    for (const place of this.#throttle.due(this.clock.now().getTime())) {
      const audience = (await typingAudience(this.transactions.read(), place)) ?? [];
      if (audience.length === 0) this.#count('dropped');
      else this.#publish(place, audience, true);
    }
  }

  #publish(
    { conversationId: conversation_id, userId: user_id }: ConversationUser,
    audience: number[],
    typing: boolean,
  ): void {
    this.#count('passed');
    const payload = { conversation_id, user_id, typing };
    this.events.publishEphemeral(audience, { type: 'conversation.typing', payload });
  }

  #count(outcome: 'passed' | 'dropped'): void {
    this.#counter.inc({ outcome });
  }
}
