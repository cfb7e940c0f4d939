import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import type { NotificationId } from '../common/ids';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ListPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { SuccessMessage } from '../common/http/response.decorators';
import type { WithHeaders } from '../common/http/with-headers';
import { withCursor } from '../events/log/cursor';
import { ListNotificationsQuery } from './dto/list-query.dto';
import { MarkAllReadRequest } from './dto/mark-all.dto';
import {
  MarkAllReadResponse,
  NotificationResponse,
  UnreadNotificationsResponse,
} from './dto/notification.dto';
import { SnoozeRequest } from './dto/snooze.dto';
import { ArchiveService } from './services/archive.service';
import { NotificationsService } from './services/notifications.service';

@ApiTags('Notifications')
@Controller('api/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly archive: ArchiveService,
  ) {}

  @Get()
  @ApiOperation({ summary: "List the current user's notifications, newest first" })
  @ApiEnvelope({ page: ListPage, of: NotificationResponse })
  listNotifications(
    @CurrentUser() user: Principal,
    @Query() query: ListNotificationsQuery,
  ): Promise<ListPage<NotificationResponse>> {
    return this.notifications.list(user.id, query);
  }

  @Get('unread-count')
  @ApiOperation({ summary: 'Count the unread notifications, in total and by type' })
  @ApiEnvelope(UnreadNotificationsResponse)
  @SendsHeaders('X-Event-Cursor')
  async countUnreadNotifications(
    @CurrentUser() user: Principal,
  ): Promise<WithHeaders<UnreadNotificationsResponse>> {
    const { unread, cursor } = await this.notifications.unreadCount(user.id);
    return withCursor(unread, cursor);
  }

  @Put('all/read')
  @ApiOperation({ summary: 'Mark all notifications read, or all of one type' })
  @ApiEnvelope(MarkAllReadResponse)
  markAllNotificationsRead(
    @CurrentUser() user: Principal,
    @Body() { type }: MarkAllReadRequest,
  ): Promise<MarkAllReadResponse> {
    return this.notifications.markAllRead(user.id, type);
  }

  @Put(':id/read')
  @ApiOperation({ summary: 'Mark a notification read; idempotent' })
  @ApiEnvelope(null, 'NOTIFICATION_NOT_FOUND')
  @SuccessMessage('marked')
  markNotificationRead(@CurrentUser() user: Principal, @PathId('id') id: NotificationId): Promise<void> {
    return this.notifications.markRead(user.id, id);
  }

  @Put(':id/unread')
  @ApiOperation({ summary: 'Mark a notification unread' })
  @ApiEnvelope(NotificationResponse, 'NOTIFICATION_NOT_FOUND')
  markNotificationUnread(
    @CurrentUser() user: Principal,
    @PathId('id') id: NotificationId,
  ): Promise<NotificationResponse> {
    return this.notifications.markUnread(user.id, id);
  }

  @Put(':id/archive')
  @ApiOperation({ summary: 'Archive a notification; idempotent' })
  @ApiEnvelope(NotificationResponse, 'NOTIFICATION_NOT_FOUND')
  archiveNotification(
    @CurrentUser() user: Principal,
    @PathId('id') id: NotificationId,
  ): Promise<NotificationResponse> {
    return this.archive.archive(user.id, id);
  }

  @Delete(':id/archive')
  @ApiOperation({ summary: 'Move an archived or snoozed notification back into the inbox; idempotent' })
  @ApiEnvelope(NotificationResponse, 'NOTIFICATION_NOT_FOUND')
  restoreNotification(
    @CurrentUser() user: Principal,
    @PathId('id') id: NotificationId,
  ): Promise<NotificationResponse> {
    return this.archive.restore(user.id, id);
  }

  @Put(':id/snooze')
  @ApiOperation({ summary: 'Archive a notification until a time, when it comes back as unread' })
  @ApiEnvelope(NotificationResponse, 'NOTIFICATION_NOT_FOUND')
  snoozeNotification(
    @CurrentUser() user: Principal,
    @PathId('id') id: NotificationId,
    @Body() { snooze_until }: SnoozeRequest,
  ): Promise<NotificationResponse> {
    return this.archive.snooze(user.id, id, snooze_until);
  }

  @Delete(':id/snooze')
  @ApiOperation({ summary: 'Move a snoozed notification back into the inbox now; idempotent' })
  @ApiEnvelope(NotificationResponse, 'NOTIFICATION_NOT_FOUND')
  endNotificationSnooze(
    @CurrentUser() user: Principal,
    @PathId('id') id: NotificationId,
  ): Promise<NotificationResponse> {
    return this.archive.endSnooze(user.id, id);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a notification' })
  @ApiEnvelope(null, 'NOTIFICATION_NOT_FOUND')
  deleteNotification(@CurrentUser() user: Principal, @PathId('id') id: NotificationId): Promise<void> {
    return this.notifications.remove(user.id, id);
  }
}
