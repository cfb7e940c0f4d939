import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Answers } from '../common/http/answers.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/http/path-id.decorator';
import { ConversationResponse, MemberResponse } from './dto/conversation.dto';
import { AddMembersRequest, MembersQuery } from './dto/conversation-requests.dto';
import { MemberViews } from './member-views.service';
import { MembersService } from './members.service';

@ApiTags('Conversations')
@Controller('api/messages/conversations/:id/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly views: MemberViews,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The members, those who have been there longest first' })
  @Answers({ page: ItemsPage, of: MemberResponse }, 'CONVERSATION_FORBIDDEN')
  listMembers(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Query() query: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    return this.views.list(id, user.id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Add users to a group, as its owner' })
  @Answers(ConversationResponse, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED')
  addMembers(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Body() body: AddMembersRequest,
  ): Promise<ConversationResponse> {
    return this.members.add(id, user.id, body.user_ids);
  }

  @Delete(':userId')
  @ApiOperation({ summary: 'Remove a member of a group, as its owner; or leave it' })
  @Answers(null, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED', 'USER_NOT_FOUND')
  removeMember(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @PathId('userId') userId: number,
  ): Promise<void> {
    return this.members.remove(id, user.id, userId);
  }
}
