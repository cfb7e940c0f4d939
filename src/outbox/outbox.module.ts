import { Module } from '@nestjs/common';
import { ActsModule } from './acts.module';
import { OutboxHealth } from './outbox-health';
import { OutboxMetrics } from './outbox-metrics';
import { OutboxRouter } from './outbox-router';

/** Hands recorded acts on to those who registered for them. Only a process in which all of them register may import it. */
@Module({
  imports: [ActsModule],
  providers: [OutboxRouter, OutboxMetrics, OutboxHealth],
  exports: [OutboxRouter],
})
export class OutboxModule {}
