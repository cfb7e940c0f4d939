import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { ItemsPage } from '../common/http/page';
import type { ConversationId } from '../common/ids';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import {
  AdminConversationDetailResponse,
  AdminConversationsResponse,
  InspectConversationRequest,
  InspectionResponse,
  ListAllConversationsQuery,
} from './dto/admin-conversation.dto';
import { MemberResponse } from './dto/conversation.dto';
import { MembersQuery } from './dto/conversation-requests.dto';
import { AdminConversationsService } from './services/admin-conversations.service';
import { ConversationInspectionsService } from './services/conversation-inspections.service';

@ApiTags('Conversations')
@Controller('api/admin/conversations')
export class AdminConversationsController {
  constructor(
    private readonly conversations: AdminConversationsService,
    private readonly inspections: ConversationInspectionsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the conversations of all users, newest first, without contents' })
  @ApiEnvelope(AdminConversationsResponse)
  listAllConversations(@Query() query: ListAllConversationsQuery): Promise<AdminConversationsResponse> {
    return this.conversations.list(query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a conversation with its statistics, without contents' })
  @ApiEnvelope(AdminConversationDetailResponse, 'CONVERSATION_NOT_FOUND')
  getConversationDetails(@PathId('id') id: ConversationId): Promise<AdminConversationDetailResponse> {
    return this.conversations.get(id);
  }

  @Get(':id/members')
  @ApiOperation({ summary: 'List the members of a conversation, the longest membership first' })
  @ApiEnvelope({ page: ItemsPage, of: MemberResponse }, 'CONVERSATION_NOT_FOUND')
  listConversationMembers(
    @PathId('id') id: ConversationId,
    @Query() query: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    return this.conversations.listMembers(id, query);
  }

  @Post(':id/inspections')
  @Audited('conversation.inspect')
  @ApiOperation({ summary: 'Read messages of a conversation, for a reason that the audit log keeps' })
  @ApiEnvelope(InspectionResponse, 'CONVERSATION_NOT_FOUND', 'MESSAGE_NOT_FOUND')
  inspectConversation(
    @PathId('id') id: ConversationId,
    @Body() body: InspectConversationRequest,
  ): Promise<InspectionResponse> {
    return this.inspections.inspect(id, body);
  }

  @Delete(':id')
  @Audited('conversation.delete')
  @ApiOperation({ summary: 'Close a group: remove all members and delete its messages' })
  @ApiEnvelope(null, 'CONVERSATION_NOT_FOUND', 'NOT_ALLOWED')
  closeConversation(@PathId('id') id: ConversationId): Promise<void> {
    return this.conversations.close(id);
  }
}
