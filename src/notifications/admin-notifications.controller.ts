import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { SendNotificationResponse } from './dto/notification.dto';
import { SendNotificationRequest } from './dto/send-notification.dto';
import { NotificationSenderService } from './services/notification-sender.service';

@ApiTags('Notifications')
@Controller('api/admin/notifications')
export class AdminNotificationsController {
  constructor(private readonly sender: NotificationSenderService) {}

  @Post()
  @ApiOperation({ summary: 'Notify some users, or every user that exists now' })
  @ApiEnvelope(SendNotificationResponse)
  send(@Body() body: SendNotificationRequest): Promise<SendNotificationResponse> {
    return this.sender.send(body);
  }
}
