import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../common/clock';
import { NotificationsModule } from '../notifications/notifications.module';
import { CONFIG, type Config } from '../config/config';
import { EventsModule } from '../events/events.module';
import { CallAnnouncements } from './call-announcements';
import { CallCreation } from './call-creation';
import { CallDeadlines } from './call-deadlines';
import { CallHistory } from './call-history';
import { CallTransitions } from './call-transitions';
import { CallsController } from './calls.controller';
import { CallsService } from './calls.service';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { CallMediaStateEntity } from './entities/call-media-state.entity';
import { CallSeatEntity } from './entities/call-seat.entity';
import { createMediaProvider } from './media/create-media-provider';
import { MediaProvider } from './media/media-provider';
import { MissedCalls } from './missed-calls';

/** Call control: placing, answering and ending calls, and the tokens for their media. */
@Module({
  imports: [
    NotificationsModule,
    TypeOrmModule.forFeature([CallEntity, CallSeatEntity, CallHistoryEntity, CallMediaStateEntity]),
    EventsModule,
  ],
  controllers: [CallsController],
  providers: [
    CallsService,
    CallCreation,
    CallAnnouncements,
    CallTransitions,
    CallHistory,
    CallDeadlines,
    MissedCalls,
    {
      provide: MediaProvider,
      inject: [CONFIG, Clock],
      useFactory: ({ media }: Config, clock: Clock) => createMediaProvider(media, clock),
    },
  ],
  exports: [CallsService],
})
export class CallsModule {}
