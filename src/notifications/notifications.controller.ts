import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Answers } from '../common/http/answers.decorator';
import { ListPage } from '../common/http/page';
import { PathId } from '../common/http/path-id.decorator';
import { SuccessMessage } from '../common/http/response.decorators';
import type { WithHeaders } from '../common/http/with-headers';
import { withCursor } from '../events/event-cursor';
import { ListQuery } from './dto/list-query.dto';
import { MarkAllBody } from './dto/mark-all.dto';
import { MarkAllResult, NotificationResponse, UnreadCount } from './dto/notification.dto';
import { NotificationsService } from './notifications.service';

@ApiTags('Notifications')
@Controller('api/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @ApiOperation({ summary: "The current user's notifications, newest first" })
  @Answers({ page: ListPage, of: NotificationResponse })
  list(@CurrentUser() user: Principal, @Query() query: ListQuery): Promise<ListPage<NotificationResponse>> {
    return this.notifications.list(user.id, query);
  }

  @Get('unread-count')
  @ApiOperation({ summary: 'How many of them are unread, together and by type' })
  @Answers(UnreadCount)
  async unreadCount(@CurrentUser() user: Principal): Promise<WithHeaders<UnreadCount>> {
    const { unread, cursor } = await this.notifications.unreadCount(user.id);
    return withCursor(unread, cursor);
  }

  @Put('all/read')
  @ApiOperation({ summary: 'Mark all of them read, or all of one type' })
  @Answers(MarkAllResult)
  markAllRead(@CurrentUser() user: Principal, @Body() { type }: MarkAllBody): Promise<MarkAllResult> {
    return this.notifications.markAllRead(user.id, type);
  }

  @Put(':id/read')
  @ApiOperation({ summary: 'Mark one read; again is a success' })
  @Answers(null, 'NOTIFICATION_NOT_FOUND')
  @SuccessMessage('标记成功')
  markRead(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<void> {
    return this.notifications.markRead(user.id, id);
  }

  @Put(':id/unread')
  @ApiOperation({ summary: 'Mark one unread again' })
  @Answers(NotificationResponse, 'NOTIFICATION_NOT_FOUND')
  markUnread(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<NotificationResponse> {
    return this.notifications.markUnread(user.id, id);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete one' })
  @Answers(null, 'NOTIFICATION_NOT_FOUND')
  remove(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<void> {
    return this.notifications.remove(user.id, id);
  }
}
