import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../common/clock';
import { CONFIG, type Config, type MediaConfig } from '../config/config';
import { EventsModule } from '../events/events.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { AdminCallsController } from './admin-calls.controller';
import { CallAdministrationService } from './call-administration.service';
import { CallAnnouncements } from './call-announcements';
import { CallCreation } from './call-creation';
import { CallDeadlines } from './call-deadlines';
import { CallHistoryService } from './call-history.service';
import { CallMetrics } from './call-metrics';
import { CallTransitions } from './call-transitions';
import { CallsController } from './calls.controller';
import { CallsService } from './calls.service';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { CallListEntity, CallListEntryEntity } from './entities/call-list.entity';
import { CallMediaPresenceEntity } from './entities/call-media-presence.entity';
import { CallMediaStateEntity } from './entities/call-media-state.entity';
import { ActiveCallParticipantEntity } from './entities/active-call-participant.entity';
import { MediaWebhookEventEntity } from './entities/media-webhook-event.entity';
import { MediaPresenceService } from './media/media-presence.service';
import { MediaWebhooksService } from './media/media-webhooks.service';
import { AgoraWebhookController, LivekitWebhookController } from './media/media-webhooks.controller';
import { createMediaWebhookReader, createMediaProvider } from './media/create-media-provider';
import { MediaWebhookReader } from './media/media-webhook-event';
import { MediaProvider } from './media/media-provider';
import { MissedCalls } from './missed-calls';

const ENTITIES = [
  CallEntity,
  ActiveCallParticipantEntity,
  CallHistoryEntity,
  CallListEntity,
  CallListEntryEntity,
  CallMediaStateEntity,
  CallMediaPresenceEntity,
  MediaWebhookEventEntity,
];

/** Call control: placing, answering and ending calls, the tokens for their media, and what the media tell. */
@Module({})
export class CallsModule {
  static forRoot({ provider }: MediaConfig): DynamicModule {
    return {
      module: CallsModule,
      imports: [TypeOrmModule.forFeature(ENTITIES), EventsModule, NotificationsModule],
      controllers: [
        CallsController,
        AdminCallsController,
        provider === 'agora' ? AgoraWebhookController : LivekitWebhookController,
      ],
      providers: [
        CallsService,
        CallAdministrationService,
        CallCreation,
        CallAnnouncements,
        CallTransitions,
        CallHistoryService,
        CallDeadlines,
        CallMetrics,
        MissedCalls,
        MediaPresenceService,
        MediaWebhooksService,
        {
          provide: MediaProvider,
          inject: [CONFIG, Clock],
          useFactory: ({ media }: Config, clock: Clock) => createMediaProvider(media, clock),
        },
        {
          provide: MediaWebhookReader,
          inject: [CONFIG],
          useFactory: ({ media }: Config) => createMediaWebhookReader(media),
        },
      ],
      exports: [CallsService],
    };
  }
}
