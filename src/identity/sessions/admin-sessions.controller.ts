import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../audit/recording/audited.decorator';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { ItemsPage } from '../../common/http/page';
import { PathId } from '../../common/input/path-id.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { AnySessionResponse, ListSessionsQuery, UserSessionsResponse } from '../dto/session-responses.dto';
import { UserSessionsService } from './user-sessions.service';

@ApiTags('Users')
@Controller('api/admin')
export class AdminSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Get('users/:id/sessions')
  @ApiOperation({ summary: 'List a user’s sessions, most recently used first, at most 200' })
  @ApiEnvelope(UserSessionsResponse, 'USER_NOT_FOUND')
  listUserSessions(@CurrentUser() admin: Principal, @PathId('id') id: number): Promise<UserSessionsResponse> {
    return this.sessions.listOf(id, admin.sid);
  }

  @Delete('users/:id/sessions')
  @Audited('session.delete')
  @ApiOperation({
    summary:
      'End all sessions of a user, including the current session if it is the administrator’s own account',
  })
  @ApiEnvelope(null, 'USER_NOT_FOUND')
  endUserSessions(@PathId('id') id: number): Promise<void> {
    return this.sessions.endAllOf(id);
  }

  @Delete('users/:id/sessions/:sessionId')
  @Audited('session.delete')
  @ApiOperation({ summary: 'End a session of a user' })
  @ApiEnvelope(null, 'USER_NOT_FOUND', 'SESSION_NOT_FOUND')
  endUserSession(@PathId('id') id: number, @PathId('sessionId') sessionId: number): Promise<void> {
    return this.sessions.endOf(id, sessionId);
  }

  @Get('sessions')
  @ApiOperation({ summary: 'List the active sessions of all users, most recently used first' })
  @ApiEnvelope({ page: ItemsPage, of: AnySessionResponse })
  listAllSessions(
    @CurrentUser() admin: Principal,
    @Query() query: ListSessionsQuery,
  ): Promise<ItemsPage<AnySessionResponse>> {
    return this.sessions.listAll(query, admin.sid);
  }
}
