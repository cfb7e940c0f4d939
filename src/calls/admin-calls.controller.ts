import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/trail/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import type { CallId } from '../common/ids';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { CallAdministrationService } from './call-administration.service';
import { AdminCallDetailResponse, AdminCallResponse, EndCallRequest } from './dto/admin-call.dto';

@ApiTags('Calls')
@Controller('api/admin/calls')
export class AdminCallsController {
  constructor(private readonly calls: CallAdministrationService) {}

  @Post(':callId/end')
  @Audited('call.end')
  @ApiOperation({ summary: 'End a call, whatever its state; one that is over is answered as it is' })
  @ApiEnvelope(AdminCallResponse, 'CALL_NOT_FOUND')
  endCall(@PathId('callId') callId: CallId, @Body() body: EndCallRequest): Promise<AdminCallResponse> {
    return this.calls.end(callId, body.reason);
  }

  @Get(':callId')
  @KeyScope('calls:read')
  @ApiOperation({ summary: 'One call, with its terminals and what happened in it' })
  @ApiEnvelope(AdminCallDetailResponse, 'CALL_NOT_FOUND')
  getCallDetails(@PathId('callId') callId: CallId): Promise<AdminCallDetailResponse> {
    return this.calls.find(callId);
  }
}
