import { Module } from '@nestjs/common';
import { EventHub } from './event-hub';
import { EventLog } from './event-log';
import { EventRetention } from './event-retention';
import { EventSources } from './event-sources';
import { EventStreams } from './event-streams';
import { EventTopics } from './event-topics';
import { EventWakeup } from './event-wakeup';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { StreamAdmission } from './stream-admission';

/** The durable log of what happened to each user, and the ways to hear of it (contract 7). */
@Module({
  controllers: [EventsController],
  providers: [
    EventsService,
    EventSources,
    EventLog,
    EventHub,
    EventTopics,
    EventStreams,
    EventWakeup,
    EventRetention,
    StreamAdmission,
  ],
  exports: [EventsService, EventSources],
})
export class EventsModule {}
