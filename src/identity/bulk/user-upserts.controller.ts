import { Body, Controller, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Audited } from '../../audit/recording/audited.decorator';
import { KeyScope } from '../../common/auth/api-keys/key-scope.decorator';
import { type Caller, CurrentCaller } from '../../common/auth/caller';
import { Catalogues } from '../../common/i18n/catalogues';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import {
  toUpsertUsersResponse,
  UpsertUsersQuery,
  UpsertUsersRequest,
  UpsertUsersResponse,
} from '../dto/upsert-users.dto';
import { UserUpsertsService } from './user-upserts.service';

@ApiTags('Users')
@Controller('api/admin/users')
export class UserUpsertsController {
  constructor(
    private readonly upserts: UserUpsertsService,
    private readonly languages: Catalogues,
  ) {}

  @Post('bulk')
  @Audited('user.import')
  @KeyScope('users:write')
  @ApiOperation({
    summary:
      'Create or update users by external id, each independently; with dry_run=1 only report the results',
  })
  @ApiEnvelope(UpsertUsersResponse)
  async upsertUsers(
    @Query() { dry_run }: UpsertUsersQuery,
    @Body() { users }: UpsertUsersRequest,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<UpsertUsersResponse> {
    return toUpsertUsersResponse(
      await this.upserts.apply(users, caller, { isDryRun: dry_run === 1 }),
      this.languages.for(request),
    );
  }
}
