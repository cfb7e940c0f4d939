import { Module } from '@nestjs/common';
import { ActsModule } from './acts.module';
import { OutboxHealth } from './outbox-health';
import { OutboxMetrics } from './outbox-metrics';
import { OutboxRouter } from './outbox-router';

/**
 * Dispatches recorded domain events to the registered consumers. May only be imported by a process in which all
 * consumers register: a domain event is deleted once the registered ones have handled it.
 */
@Module({
  imports: [ActsModule],
  providers: [OutboxRouter, OutboxMetrics, OutboxHealth],
  exports: [OutboxRouter],
})
export class OutboxModule {}
