import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Counter } from 'prom-client';
import { Clock } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { BusinessError } from '../../common/errors/business-error';
import { Metrics } from '../../common/metrics';
import { EventsService } from '../../events/events.service';
import { TypingTurns } from '../rules/typing-turns';
import { typingAudience, type TypingPlace } from './typing.queries';

const TICK_MS = 250;

/**
 * Lets the other members of a conversation hear live who types (contract 16.2): without a cursor, of each user in each
 * conversation once in three seconds. Nothing of it is stored.
 */
@Injectable()
export class TypingService implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #turns = new TypingTurns<TypingPlace>();
  readonly #counter: Counter<'outcome'>;
  readonly #ticking = new PeriodicJob(this, {
    name: 'typing',
    everyMs: TICK_MS,
    run: () => this.#tick(),
    onFailure: 'Some do not hear who types',
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventsService,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.#counter = metrics.counter(
      'callboard_typing_total',
      'How often somebody was said to type, by whether it was passed on',
      ['outcome'],
    );
  }

  onApplicationBootstrap(): void {
    this.#ticking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#ticking.stop();
  }

  /** Somebody types, or has stopped. @throws {BusinessError} CONVERSATION_FORBIDDEN */
  async take(userId: number, conversationId: number, typing: boolean): Promise<void> {
    const place = { userId, conversationId };
    const audience = await typingAudience(this.dataSource.manager, place);
    if (audience === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    if (audience.length === 0 || !this.events.hasListeners) return this.#count('dropped');
    const key = `${conversationId}:${userId}`;
    const turn = this.#turns.take(key, place, typing, this.clock.now().getTime());
    if (turn === 'told') this.#tell(place, audience, typing);
    else if (turn === 'dropped') this.#count('dropped');
  }

  /** Passes on what was held back long enough, to those who may hear it by now. */
  async #tick(): Promise<void> {
    for (const place of this.#turns.due(this.clock.now().getTime())) {
      const audience = (await typingAudience(this.dataSource.manager, place)) ?? [];
      if (audience.length === 0) this.#count('dropped');
      else this.#tell(place, audience, true);
    }
  }

  #tell(
    { conversationId: conversation_id, userId: user_id }: TypingPlace,
    audience: number[],
    typing: boolean,
  ): void {
    this.#count('passed');
    const payload = { conversation_id, user_id, typing };
    this.events.tellLive(audience, { type: 'conversation.typing', payload });
  }

  #count(outcome: 'passed' | 'dropped'): void {
    this.#counter.inc({ outcome });
  }
}
