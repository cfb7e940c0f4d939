import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { withActingTerminal } from '../../common/auth/session-terminal';
import type { CallId } from '../../common/ids';
import { MaxBody } from '../../common/input/body-limit';
import { PathId } from '../../common/input/path-id.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { SendSignalRequest } from '../dto/send-signal.dto';
import { CallSignalsService } from './call-signals.service';

const MAX_SIGNAL_BYTES = 65_536;

/** The route exists only with the built-in media provider (`MEDIA_PROVIDER=webrtc`). */
@ApiTags('Calls')
@Controller('api/calls')
export class CallSignalsController {
  constructor(private readonly signals: CallSignalsService) {}

  @Post(':callId/signals')
  @MaxBody(MAX_SIGNAL_BYTES)
  @ApiOperation({ summary: 'Send a connection signal to the other terminal' })
  @ApiEnvelope(
    null,
    'CALL_NOT_FOUND',
    'NOT_PARTICIPANT',
    'CALL_FINISHED',
    'ANSWERED_ELSEWHERE',
    'CALL_NOT_ANSWERED',
    'REQUEST_ID_REUSED',
  )
  sendCallSignal(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: SendSignalRequest,
  ): Promise<void> {
    return this.signals.send(user.id, callId, withActingTerminal(user, body));
  }
}
