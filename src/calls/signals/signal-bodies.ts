import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { Transactions } from '../../database/transactions';
import { type PayloadResolver, EventSources } from '../../events/event-sources';
import type { LoggedEvent } from '../../events/log/event';
import { readSignalBodies } from '../store/call-signals.store';
import { signalHorizon } from './signal-life';

/**
 * Adds the bodies of signals to their events when they are read. The event log does not contain them: a body is deleted
 * with its call, or after two minutes.
 */
@Injectable()
export class SignalBodies implements PayloadResolver, OnModuleInit {
  readonly types = new Set(['call.signal']);
  readonly maxEvents = 64;

  constructor(
    private readonly sources: EventSources,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.sources.registerPayloadResolver(this);
  }

  async resolve(events: readonly LoggedEvent[]): Promise<void> {
    const numbers = new Map(
      events.map((event) => [event, (JSON.parse(event.payload) as { signal: number }).signal]),
    );
    const horizon = signalHorizon(this.clock.now());
    for (const ids of inChunks([...new Set(numbers.values())])) {
      const bodies = await readSignalBodies(this.transactions.read(), ids, horizon);
      for (const [event, number] of numbers) event.payload = bodies.get(number) ?? event.payload;
    }
  }
}
