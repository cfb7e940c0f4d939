import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../common/clock';
import { CONFIG, type Config, type MediaConfig } from '../config/config';
import { EventsModule } from '../events/events.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { CallAnnouncements } from './call-announcements';
import { CallCreation } from './call-creation';
import { CallDeadlines } from './call-deadlines';
import { CallHistory } from './call-history';
import { CallMetrics } from './call-metrics';
import { CallTransitions } from './call-transitions';
import { CallsController } from './calls.controller';
import { CallsService } from './calls.service';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { CallMediaPresenceEntity } from './entities/call-media-presence.entity';
import { CallMediaStateEntity } from './entities/call-media-state.entity';
import { CallSeatEntity } from './entities/call-seat.entity';
import { MediaNoticeEntity } from './entities/media-notice.entity';
import { MediaTruth } from './media-truth';
import { MediaWebhooks } from './media-webhooks';
import { AgoraWebhookController, LivekitWebhookController } from './media-webhooks.controller';
import { createMediaNoticeReader, createMediaProvider } from './media/create-media-provider';
import { MediaNoticeReader } from './media/media-notice';
import { MediaProvider } from './media/media-provider';
import { MissedCalls } from './missed-calls';

const ENTITIES = [
  CallEntity,
  CallSeatEntity,
  CallHistoryEntity,
  CallMediaStateEntity,
  CallMediaPresenceEntity,
  MediaNoticeEntity,
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
        provider === 'agora' ? AgoraWebhookController : LivekitWebhookController,
      ],
      providers: [
        CallsService,
        CallCreation,
        CallAnnouncements,
        CallTransitions,
        CallHistory,
        CallDeadlines,
        CallMetrics,
        MissedCalls,
        MediaTruth,
        MediaWebhooks,
        {
          provide: MediaProvider,
          inject: [CONFIG, Clock],
          useFactory: ({ media }: Config, clock: Clock) => createMediaProvider(media, clock),
        },
        {
          provide: MediaNoticeReader,
          inject: [CONFIG],
          useFactory: ({ media }: Config) => createMediaNoticeReader(media),
        },
      ],
      exports: [CallsService],
    };
  }
}
