import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { HeartbeatRequest } from '../dto/heartbeat.dto';
import { DeviceHeartbeatsService } from './device-heartbeats.service';

@ApiTags('Devices')
@Controller('api/devices')
export class DeviceHeartbeatsController {
  constructor(private readonly heartbeats: DeviceHeartbeatsService) {}

  @Post('heartbeat')
  @ApiOperation({ summary: 'Send a heartbeat, as the user of a device' })
  @ApiEnvelope(null, 'DEVICE_NOT_FOUND')
  sendHeartbeat(@CurrentUser() user: Principal, @Body() body: HeartbeatRequest): Promise<void> {
    return this.heartbeats.recordHeartbeat(user.id, body);
  }
}
