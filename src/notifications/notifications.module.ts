import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ActsModule } from '../outbox/acts.module';
import { AdminNotificationsController } from './admin-notifications.controller';
import { Broadcasts } from './services/broadcasts';
import { CounterRepairService } from './services/counter-repair.service';
import { Inboxes } from './services/inboxes';
import { LiveBroadcasts } from './services/live-broadcasts';
import { NotificationEvents } from './events/notification-events';
import { NotificationSenderService } from './services/notification-sender.service';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './services/notifications.service';

/** The notification centre: each user's inbox, and the ways into it. */
@Module({
  imports: [ActsModule, EventsModule],
  controllers: [NotificationsController, AdminNotificationsController],
  providers: [
    NotificationsService,
    NotificationSenderService,
    Broadcasts,
    Inboxes,
    NotificationEvents,
    LiveBroadcasts,
    CounterRepairService,
  ],
  exports: [NotificationSenderService, NotificationsService],
})
export class NotificationsModule {}
