import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { type Caller, CurrentCaller } from '../common/auth/caller';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { SendNotificationResponse } from './dto/notification.dto';
import { SendNotificationRequest } from './dto/send-notification.dto';
import { NotificationSenderService } from './services/notification-sender.service';

@ApiTags('Notifications')
@Controller('api/admin/notifications')
export class AdminNotificationsController {
  constructor(private readonly sender: NotificationSenderService) {}

  @Post()
  @Audited('notification.send')
  @KeyScope('notifications:send')
  @ApiOperation({ summary: 'Notify named users, all existing users, or all existing users with a role' })
  @ApiEnvelope(SendNotificationResponse)
  sendNotification(
    @Body() body: SendNotificationRequest,
    @CurrentCaller() caller: Caller,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<SendNotificationResponse> {
    return this.sender.send(body, caller, idempotency);
  }
}
