import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { PathId } from '../../common/input/path-id.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { SessionsResponse } from '../dto/session-responses.dto';
import { UserSessionsService } from './user-sessions.service';

@ApiTags('Identity')
@Controller('api/auth/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Get()
  @ApiOperation({ summary: 'List the current user’s sessions, most recently used first, at most 200' })
  @ApiEnvelope(SessionsResponse)
  listSessions(@CurrentUser() user: Principal): Promise<SessionsResponse> {
    return this.sessions.list(user.id, user.sid);
  }

  @Delete()
  @ApiOperation({ summary: 'End all sessions of the current user except the current one' })
  @ApiEnvelope(null)
  endOtherSessions(@CurrentUser() user: Principal): Promise<void> {
    return this.sessions.endOthers(user);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'End a session of the current user' })
  @ApiEnvelope(null, 'SESSION_NOT_FOUND')
  endSession(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<void> {
    return this.sessions.end(user.id, id);
  }
}
