import { Module } from '@nestjs/common';
import { DomainEventsModule } from './domain-events.module';
import { OutboxHealth } from './outbox-health';
import { OutboxMetrics } from './outbox.metrics';
import { OutboxDispatcher } from './outbox-dispatcher';

/** Dispatches recorded domain events to the registered consumers. */
@Module({
  imports: [DomainEventsModule],
  providers: [OutboxDispatcher, OutboxMetrics, OutboxHealth],
  exports: [OutboxDispatcher],
})
export class OutboxModule {}
