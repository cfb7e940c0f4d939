import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboxModule } from '../outbox/outbox.module';
import { PreferencesModule } from '../preferences/preferences.module';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { AdminPushController } from './admin-push.controller';
import { PushController } from './push.controller';
import { PushComposer } from './services/push-composer';
import { PushDispatcher } from './services/push-dispatcher';
import { PushFanout } from './services/push-fanout.job';
import { PushHealth } from './services/push-health';
import { PushMetrics } from './services/push.metrics';
import { PushResults } from './services/push-results';
import { PushRetention } from './services/push-retention.job';
import { PushRouting } from './services/push-routing';
import { PushSenders } from './services/push-senders';
import { PushTargetsService } from './services/push-targets.service';
import { PushTestLimits, PushTestsService } from './services/push-tests.service';
import { PushWishes } from './services/push-wishes';

/** Pushes to sleeping terminals: their registration, the queue, and the providers. */
@Module({
  imports: [EventsModule, NotificationsModule, OutboxModule, PreferencesModule, RateLimitModule],
  controllers: [PushController, AdminPushController],
  providers: [
    PushTargetsService,
    PushTestsService,
    PushTestLimits,
    PushSenders,
    PushRouting,
    PushWishes,
    PushFanout,
    PushDispatcher,
    PushComposer,
    PushResults,
    PushRetention,
    PushMetrics,
    PushHealth,
  ],
})
export class PushModule {}
