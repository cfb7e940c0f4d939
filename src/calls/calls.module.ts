import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { Clock } from '../common/clock';
import { CONFIG, type Config } from '../config/config';
import type { MediaConfig } from '../config/media-config';
import { EventsModule } from '../events/events.module';
import { MessagingModule } from '../messaging/messaging.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { DomainEventsModule } from '../outbox/domain-events.module';
import { PeopleModule } from '../people/people.module';
import { AdminCallsController } from './admin-calls.controller';
import { CallAdministrationService } from './services/call-administration.service';
import { CallSearchService } from './services/call-search.service';
import { CallEventPublisher } from './events/call-event-publisher';
import { CallCreation } from './services/call-creation';
import { CallDeadlines } from './services/call-deadlines.job';
import { CallHistoryService } from './services/call-history.service';
import { CallListRepairService } from './services/call-list-repair.service';
import { CallMetrics } from './call.metrics';
import { CallTransitions } from './services/call-transitions';
import { CallsController } from './calls.controller';
import { CallsService } from './services/calls.service';
import { DisabledUsers } from './services/disabled-users';
import { MediaPresenceService } from './media/media-presence.service';
import { MediaReportsService } from './media/media-reports.service';
import { MediaWebhooksService } from './media/media-webhooks.service';
import { AgoraWebhookController, LivekitWebhookController } from './media/media-webhooks.controller';
import { createMediaWebhookReader, createMediaProvider } from './media/create-media-provider';
import { MediaWebhookReader } from './media/media-webhook-event';
import { MediaProvider } from './media/media-provider';
import { MissedCallNotifier } from './events/missed-call-notifier';
import { CallSignalsController } from './signals/call-signals.controller';
import { CallSignalsService } from './signals/call-signals.service';
import { SignalBodies } from './signals/signal-bodies';
import { SignalRetention } from './signals/signal-retention.job';

/** The parts that depend on the provider: the signalling between terminals (webrtc), or the provider's webhooks. */
function mediaParts(media: MediaConfig): { controllers: Type[]; providers: Provider[] } {
  if (media.provider === 'webrtc')
    return { controllers: [CallSignalsController], providers: [CallSignalsService] };
  return {
    controllers: [media.provider === 'agora' ? AgoraWebhookController : LivekitWebhookController],
    providers: [
      MediaWebhooksService,
      { provide: MediaWebhookReader, useFactory: () => createMediaWebhookReader(media) },
    ],
  };
}

/** Call control: placing, answering and ending calls, the tokens for their media, and the reports about their media. */
@Module({})
export class CallsModule {
  /** @param media the configuration in force, complete with credentials */
  static forRoot(media: MediaConfig): DynamicModule {
    const { controllers, providers } = mediaParts(media);
    return {
      module: CallsModule,
      imports: [DomainEventsModule, EventsModule, MessagingModule, NotificationsModule, PeopleModule],
      controllers: [CallsController, AdminCallsController, ...controllers],
      providers: [
        CallsService,
        CallAdministrationService,
        CallSearchService,
        CallCreation,
        CallEventPublisher,
        CallTransitions,
        CallHistoryService,
        CallListRepairService,
        CallDeadlines,
        CallMetrics,
        DisabledUsers,
        MissedCallNotifier,
        MediaPresenceService,
        MediaReportsService,
        SignalBodies,
        SignalRetention,
        {
          provide: MediaProvider,
          inject: [CONFIG, Clock],
          useFactory: (config: Config, clock: Clock) => createMediaProvider(config.media, clock),
        },
        ...providers,
      ],
      exports: [CallAdministrationService, CallHistoryService, CallsService, MediaReportsService],
    };
  }
}
