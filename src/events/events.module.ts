import { Module } from '@nestjs/common';
import { EventHub } from './event-hub';
import { EventLog } from './event-log';
import { EventRetention } from './event-retention';
import { EventStreams } from './event-streams';
import { EventWakeup } from './event-wakeup';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';

/** The durable log of what happened to each user, and the ways to hear of it (contract 7). */
@Module({
  controllers: [EventsController],
  providers: [EventsService, EventLog, EventHub, EventStreams, EventWakeup, EventRetention],
  exports: [EventsService],
})
export class EventsModule {}
