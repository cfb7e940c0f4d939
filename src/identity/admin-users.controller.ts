import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { AffectedResponse } from '../common/http/affected.dto';
import { AccountsService } from './accounts.service';
import { CredentialsService } from './credentials.service';
import { toUserResponse, UserResponse } from './dto/user-responses.dto';
import {
  ChangeUserRequest,
  ChangeUsersRequest,
  CreateUserRequest,
  ListUsersQuery,
  SetPasswordRequest,
} from './dto/users.dto';
import { UsersService } from './users.service';

@ApiTags('Users')
@Controller('api/admin/users')
export class AdminUsersController {
  constructor(
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly credentials: CredentialsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The users, by id or by another field' })
  @ApiEnvelope({ page: ItemsPage, of: UserResponse })
  list(@Query() query: ListUsersQuery): Promise<ItemsPage<UserResponse>> {
    return this.users.list(query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a user who can log in' })
  @ApiEnvelope(UserResponse, 'ACCOUNT_TAKEN')
  create(@Body() body: CreateUserRequest): Promise<UserResponse> {
    return this.accounts.create(body);
  }

  @Put('bulk')
  @ApiOperation({ summary: 'Change the role or the status of several users, all or none' })
  @ApiEnvelope(AffectedResponse)
  async changeMany(
    @Body() body: ChangeUsersRequest,
    @CurrentUser() actor: Principal,
  ): Promise<AffectedResponse> {
    return { affected: await this.accounts.changeMany(body, actor) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'One user' })
  @ApiEnvelope(UserResponse, 'USER_NOT_FOUND')
  async get(@PathId('id') id: number): Promise<UserResponse> {
    return toUserResponse(await this.users.get(id));
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a user; disabling ends all sessions of the user' })
  @ApiEnvelope(UserResponse, 'USER_NOT_FOUND', 'ACCOUNT_TAKEN')
  change(
    @PathId('id') id: number,
    @Body() body: ChangeUserRequest,
    @CurrentUser() actor: Principal,
  ): Promise<UserResponse> {
    return this.accounts.change(id, body, actor);
  }

  @Put(':id/password')
  @ApiOperation({ summary: 'Give a user a new password; all sessions of the user end' })
  @ApiEnvelope(null, 'USER_NOT_FOUND')
  setPassword(@PathId('id') id: number, @Body() body: SetPasswordRequest): Promise<void> {
    return this.credentials.set(id, body.password);
  }
}
