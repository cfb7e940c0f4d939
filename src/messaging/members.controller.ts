import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import type { ConversationId, UserId } from '../common/ids';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { ChargeIds } from '../rate-limit/charge-ids.pipe';
import { ConversationResponse, MemberResponse } from './dto/conversation.dto';
import { AddMembersRequest, MembersQuery } from './dto/conversation-requests.dto';
import { MemberViews } from './views/member.views';
import { MembersService } from './services/members.service';

@ApiTags('Conversations')
@Controller('api/messages/conversations/:id/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly views: MemberViews,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the members, the longest membership first' })
  @ApiEnvelope({ page: ItemsPage, of: MemberResponse }, 'CONVERSATION_FORBIDDEN')
  listMembers(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Query() query: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    return this.views.list(user.id, id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Add users to a group, as its owner' })
  @ApiEnvelope(ConversationResponse, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED')
  addMembers(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body(ChargeIds) body: AddMembersRequest,
  ): Promise<ConversationResponse> {
    return this.members.add(user, id, body.user_ids);
  }

  @Delete(':userId')
  @ApiOperation({ summary: 'Remove a member from a group, as its owner, or leave the group' })
  @ApiEnvelope(null, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED', 'USER_NOT_FOUND')
  removeMember(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @PathId('userId') userId: UserId,
  ): Promise<void> {
    return this.members.remove(user.id, id, userId);
  }
}
