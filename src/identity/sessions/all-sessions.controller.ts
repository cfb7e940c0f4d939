import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { ItemsPage } from '../../common/http/page';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { AnySessionResponse, ListSessionsQuery } from '../dto/session-responses.dto';
import { UserSessionsService } from './user-sessions.service';

@ApiTags('Users')
@Controller('api/admin/sessions')
export class AllSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Get()
  @ApiOperation({ summary: 'List the active sessions of all users, most recently used first' })
  @ApiEnvelope({ page: ItemsPage, of: AnySessionResponse })
  listAllSessions(
    @CurrentUser() admin: Principal,
    @Query() query: ListSessionsQuery,
  ): Promise<ItemsPage<AnySessionResponse>> {
    return this.sessions.listAll(query, admin.sid);
  }
}
