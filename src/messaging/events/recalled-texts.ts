import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/transactions';
import { EventSources, type PayloadResolver } from '../../events/event-sources';
import type { LoggedEvent } from '../../events/log/event';
import { LocalTime } from '../rules/local-time.rules';
import { textsIn, type TextPayload, withoutRecalledTexts } from '../rules/recalled-text.rules';
import { withdrawnAmong } from '../store/recall.store';

/**
 * Removes the texts of recalled messages, and of removed conversations, from events when they are read: the log contains
 * the texts until the retention deletes the events, but sends them to no one.
 */
@Injectable()
export class RecalledTexts implements PayloadResolver, OnModuleInit {
  readonly types = new Set([
    'message.created',
    'message.edited',
    'message.recalled',
    'message.deleted',
    'conversation.updated',
    'conversation.cleared',
  ]);

  constructor(
    private readonly sources: EventSources,
    private readonly transactions: Transactions,
    private readonly time: LocalTime,
  ) {}

  onModuleInit(): void {
    this.sources.registerPayloadResolver(this);
  }

  async resolve(events: readonly LoggedEvent[]): Promise<void> {
    const read = events.map((event) => {
      const payload = JSON.parse(event.payload) as TextPayload;
      return { event, payload, ids: textsIn(payload) };
    });
    const withdrawn = await withdrawnAmong(this.transactions.read(), [
      ...new Set(read.flatMap(({ ids }) => ids)),
    ]);
    if (withdrawn.size === 0) return;
    for (const { event, payload, ids } of read)
      if (ids.some((id) => withdrawn.has(id)))
        event.payload = JSON.stringify(withoutRecalledTexts(payload, withdrawn, this.time.catalogue));
  }
}
