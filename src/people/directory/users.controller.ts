import { Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { ItemsPage } from '../../common/http/page';
import { PathId } from '../../common/input/path-id.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { BlocksService } from '../blocks/blocks.service';
import {
  BlockedPersonResponse,
  ListBlocksQuery,
  PeopleResponse,
  ProfileResponse,
  SearchPeopleQuery,
} from '../dto/person.dto';
import { DirectoryService } from './directory.service';

@ApiTags('People')
@Controller('api/users')
export class UsersController {
  constructor(
    private readonly directory: DirectoryService,
    private readonly blocks: BlocksService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Find users by account or id, and by name where the directory is open' })
  @ApiEnvelope(PeopleResponse)
  searchPeople(@CurrentUser() user: Principal, @Query() query: SearchPeopleQuery): Promise<PeopleResponse> {
    return this.directory.search(user, query);
  }

  @Get('blocks')
  @ApiOperation({ summary: 'List the users whom the current user has blocked, newest first' })
  @ApiEnvelope({ page: ItemsPage, of: BlockedPersonResponse })
  listBlocks(
    @CurrentUser() user: Principal,
    @Query() query: ListBlocksQuery,
  ): Promise<ItemsPage<BlockedPersonResponse>> {
    return this.blocks.list(user.id, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a user’s profile, with block state and single chat' })
  @ApiEnvelope(ProfileResponse, 'USER_NOT_FOUND')
  getProfile(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<ProfileResponse> {
    return this.directory.profile(user, id);
  }

  @Put(':id/block')
  @ApiOperation({
    summary: 'Block a user: prevents messages and calls between the two; the blocked user is not notified',
  })
  @ApiEnvelope(null, 'USER_NOT_FOUND')
  blockUser(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<void> {
    return this.blocks.block(user, id);
  }

  @Delete(':id/block')
  @ApiOperation({ summary: 'Unblock a user' })
  @ApiEnvelope(null, 'USER_NOT_FOUND')
  unblockUser(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<void> {
    return this.blocks.unblock(user, id);
  }
}
