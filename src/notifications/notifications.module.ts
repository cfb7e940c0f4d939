import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { AdminNotificationsController } from './admin-notifications.controller';
import { CounterRepair } from './counter-repair';
import { Inboxes } from './inboxes';
import { LiveBroadcasts } from './live-broadcasts';
import { NotificationEvents } from './notification-events';
import { NotificationSender } from './notification-sender';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';

/** The notification centre: each user's inbox, and the ways into it. */
@Module({
  imports: [EventsModule],
  controllers: [NotificationsController, AdminNotificationsController],
  providers: [
    NotificationsService,
    NotificationSender,
    Inboxes,
    NotificationEvents,
    LiveBroadcasts,
    CounterRepair,
  ],
  exports: [NotificationsService],
})
export class NotificationsModule {}
