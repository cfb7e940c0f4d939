import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { AdminNotificationsController } from './admin-notifications.controller';
import { CounterRepairService } from './services/counter-repair.service';
import { Inboxes } from './services/inboxes';
import { LiveBroadcasts } from './services/live-broadcasts';
import { NotificationEvents } from './events/notification-events';
import { NotificationSenderService } from './services/notification-sender.service';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './services/notifications.service';

/** The notification centre: each user's inbox, and the ways into it. */
@Module({
  imports: [EventsModule],
  controllers: [NotificationsController, AdminNotificationsController],
  providers: [
    NotificationsService,
    NotificationSenderService,
    Inboxes,
    NotificationEvents,
    LiveBroadcasts,
    CounterRepairService,
  ],
  exports: [NotificationsService],
})
export class NotificationsModule {}
