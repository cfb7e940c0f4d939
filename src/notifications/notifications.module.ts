import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { DomainEventsModule } from '../outbox/domain-events.module';
import { AdminNotificationsController } from './admin-notifications.controller';
import { AnnouncementsController } from './announcements.controller';
import { AnnouncementReach } from './services/announcement-reach';
import { AnnouncementRecalls } from './services/announcement-recalls';
import { AnnouncementsService } from './services/announcements.service';
import { AnnouncementWriter } from './services/announcement-writer';
import { ArchiveService } from './services/archive.service';
import { SnoozeEnds } from './services/snooze-ends.job';
import { CounterRepairService } from './services/counter-repair.service';
import { Inboxes } from './services/inboxes';
import { BroadcastNotifier } from './services/broadcast-notifier';
import { NotificationEvents } from './events/notification-events';
import { NotificationSenderService } from './services/notification-sender.service';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './services/notifications.service';

/** The notification centre: each user's inbox, and sending notifications and announcements. */
@Module({
  imports: [DomainEventsModule, EventsModule],
  controllers: [NotificationsController, AdminNotificationsController, AnnouncementsController],
  providers: [
    NotificationsService,
    NotificationSenderService,
    AnnouncementReach,
    AnnouncementRecalls,
    AnnouncementsService,
    AnnouncementWriter,
    ArchiveService,
    SnoozeEnds,
    Inboxes,
    NotificationEvents,
    BroadcastNotifier,
    CounterRepairService,
  ],
  exports: [AnnouncementsService, Inboxes, NotificationSenderService, NotificationsService],
})
export class NotificationsModule {}
