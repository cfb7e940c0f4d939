import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers } from '../common/http/answers.decorator';
import { SendResult } from './dto/notification.dto';
import { SendNotificationBody } from './dto/send-notification.dto';
import { NotificationSender } from './notification-sender';

@ApiTags('Notifications')
@Controller('api/admin/notifications')
export class AdminNotificationsController {
  constructor(private readonly sender: NotificationSender) {}

  @Post()
  @ApiOperation({ summary: 'Notify some users, or every user that exists now' })
  @Answers(SendResult)
  send(@Body() body: SendNotificationBody): Promise<SendResult> {
    return this.sender.send(body);
  }
}
