import { Module } from '@nestjs/common';
import { StreamRegistry } from './live/stream-registry';
import { EventLog } from './log/event-log';
import { EventRetention } from './log/retention';
import { EventSources } from './event-sources';
import { StreamOpener } from './live/stream-opener';
import { TopicSubscriptions } from './live/topic-subscriptions';
import { TopicPublisher } from './live/topic-publisher';
import { EventNotifier } from './live/event-notifier';
import { RedisChannel } from './live/redis-channel';
import { WorkerChannel } from './live/worker-channel';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { UserEvents } from './user-events';
import { StreamAccess } from './live/stream-access';

/** Durable event log of every user, and its delivery by stream and by poll (API 13). */
@Module({
  controllers: [EventsController],
  providers: [
    EventsService,
    EventSources,
    EventLog,
    StreamRegistry,
    TopicSubscriptions,
    TopicPublisher,
    StreamOpener,
    RedisChannel,
    WorkerChannel,
    EventNotifier,
    EventRetention,
    StreamAccess,
    UserEvents,
  ],
  exports: [EventsService, EventSources, StreamAccess],
})
export class EventsModule {}
