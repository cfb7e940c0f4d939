import { Global, Module } from '@nestjs/common';
import { ActiveUsers } from '../common/auth/active-users';
import { CONFIG, type Config } from '../config/config';
import { EventsModule } from '../events/events.module';
import { MessagingModule } from '../messaging/messaging.module';
import { OutboxModule } from '../outbox/outbox.module';
import { CalendarDays } from './rules/calendar-days.rules';
import { CallCounting } from './services/call-counting';
import { RecountService } from './services/recount.service';
import { StatisticsService } from './services/statistics.service';
import { StreamCounts } from './services/stream-counts';
import { UserActivity } from './services/user-activity';
import { RollupJob } from './services/rollup.job';
import { StatisticsController } from './statistics.controller';

/** Daily metrics and current counts. Global because the guard of every route reports active users. */
@Global()
@Module({
  imports: [EventsModule, MessagingModule, OutboxModule],
  controllers: [StatisticsController],
  providers: [
    {
      provide: CalendarDays,
      inject: [CONFIG],
      useFactory: ({ timezone }: Config) => new CalendarDays(timezone),
    },
    CallCounting,
    RecountService,
    StatisticsService,
    StreamCounts,
    UserActivity,
    RollupJob,
    { provide: ActiveUsers, useExisting: UserActivity },
  ],
  exports: [ActiveUsers],
})
export class StatisticsModule {}
