import type { Readable } from 'node:stream';
import { Body, Controller, Get, Header, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../audit/recording/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { type Caller, CurrentCaller } from '../common/auth/caller';
import { exportRows } from '../common/export/row-export';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ApiExport } from '../openapi/api-export.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import {
  AffectedResponse,
  MATCHING_BATCH_SIZE,
  MatchingResponse,
  toMatchingResponse,
} from '../common/http/affected.dto';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { AccountsService } from './accounts.service';
import { AuthService } from './auth.service';
import { CredentialsService } from './credentials.service';
import {
  AdminUserResponse,
  TokensResponse,
  USER_COLUMNS,
  UserRecordResponse,
} from './dto/user-responses.dto';
import {
  ChangeMatchingUsersRequest,
  ChangeUserRequest,
  ChangeUsersRequest,
  CreateUserRequest,
  ExportUsersQuery,
  ListUsersQuery,
  SearchUsersQuery,
  SetPasswordRequest,
} from './dto/users.dto';
import { NewUserBody } from './by-key/new-user-body.decorator';
import { clientOf } from './sessions/session-client';
import { UsersListService } from './listing/users-list.service';

@ApiTags('Users')
@Controller('api/admin/users')
export class AdminUsersController {
  constructor(
    private readonly users: UsersListService,
    private readonly accounts: AccountsService,
    private readonly credentials: CredentialsService,
    private readonly auth: AuthService,
  ) {}

  @Get()
  @KeyScope('users:read')
  @ApiOperation({ summary: 'List users, sorted by id or by another field' })
  @ApiEnvelope({ page: ItemsPage, of: AdminUserResponse })
  // Webhooks contain it.
  @ApiExtraModels(UserRecordResponse)
  listUsers(@Query() query: ListUsersQuery): Promise<ItemsPage<AdminUserResponse>> {
    return this.users.list(query);
  }

  @Get('export')
  @KeyScope('users:read')
  @ApiOperation({ summary: 'Export the users that match the filter as a file, sorted by id' })
  @ApiExport('by id')
  exportUsers(
    @Query() { format, ...filter }: ExportUsersQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return exportRows(reply, {
      name: 'users',
      format,
      columns: USER_COLUMNS,
      pages: this.users.export(filter),
    });
  }

  @Post()
  @Audited('user.create')
  @KeyScope('users:write')
  @ApiOperation({ summary: 'Create a user, who can log in if a password is given' })
  @ApiEnvelope(AdminUserResponse, 'ACCOUNT_TAKEN', 'EXTERNAL_ID_TAKEN', 'USER_NOT_FOUND')
  async createUser(
    @NewUserBody() body: CreateUserRequest,
    @CurrentCaller() caller: Caller,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<AdminUserResponse> {
    return this.users.show(await this.accounts.create(body, caller, idempotency));
  }

  @Put('bulk')
  @Audited('user.bulk_update')
  @KeyScope('users:write')
  @ApiOperation({ summary: 'Change the role or the status of several users, all or none' })
  @ApiEnvelope(AffectedResponse)
  async changeUsers(
    @Body() body: ChangeUsersRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<AffectedResponse> {
    return { affected: await this.accounts.changeMany(body, caller) };
  }

  @Put('matching')
  @Audited('user.bulk_update')
  @KeyScope('users:write')
  @ApiOperation({
    summary:
      'Change the role or the status of the users that match the filter, except the caller; 500 per request',
  })
  @ApiEnvelope(MatchingResponse)
  async changeMatchingUsers(
    @Query() filter: SearchUsersQuery,
    @Body() { after_id, ...change }: ChangeMatchingUsersRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<MatchingResponse> {
    const ids = await this.users.idsAfter(filter, after_id, MATCHING_BATCH_SIZE);
    return toMatchingResponse(ids, await this.accounts.changeOthers({ user_ids: ids, ...change }, caller));
  }

  @Get(':id')
  @KeyScope('users:read')
  @ApiOperation({ summary: 'Get a user' })
  @ApiEnvelope(AdminUserResponse, 'USER_NOT_FOUND')
  getUser(@PathId('id') id: number): Promise<AdminUserResponse> {
    return this.users.get(id);
  }

  @Put(':id')
  @Audited('user.update')
  @KeyScope('users:write')
  @ApiOperation({ summary: 'Change a user; disabling ends all sessions of the user' })
  @ApiEnvelope(AdminUserResponse, 'USER_NOT_FOUND', 'ACCOUNT_TAKEN', 'EXTERNAL_ID_TAKEN')
  async changeUser(
    @PathId('id') id: number,
    @Body() body: ChangeUserRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<AdminUserResponse> {
    return this.users.show(await this.accounts.change(id, body, caller));
  }

  @Put(':id/password')
  @Audited('user.password')
  @ApiOperation({ summary: 'Set a new password for a user; all sessions of the user end' })
  @ApiEnvelope(null, 'USER_NOT_FOUND')
  setUserPassword(@PathId('id') id: number, @Body() body: SetPasswordRequest): Promise<void> {
    return this.credentials.set(id, body.password);
  }

  @Post(':id/tokens')
  @Audited('user.issue_token')
  @KeyScope('tokens:issue')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Issue tokens for a user, like a login; not for administrators' })
  @ApiEnvelope(TokensResponse, 'USER_NOT_FOUND')
  @SendsHeaders('Cache-Control')
  issueTokens(
    @PathId('id') id: number,
    @Req() request: FastifyRequest,
    @CurrentCaller() { apiKey }: Caller,
  ): Promise<TokensResponse> {
    return this.auth.issue(id, clientOf(request), apiKey?.id);
  }
}
