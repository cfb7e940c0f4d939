import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuditedOnBehalf } from '../audit/recording/audited.decorator';
import { KeyOnBehalf } from '../common/auth/api-keys/key-scope.decorator';
import { CurrentUser, type Principal } from '../common/auth/principal';
import type { ConversationId, UserId } from '../common/ids';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import type { WithHeaders } from '../common/http/with-headers';
import { withCursor } from '../events/log/cursor';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { ChargeIds } from '../rate-limit/charge-ids.pipe';
import { ConversationViews } from './views/conversation.views';
import { ConversationCreationService } from './services/conversation-creation.service';
import { ConversationsService } from './services/conversations.service';
import { ConversationResponse, UnreadCountResponse, UnreadTotalResponse } from './dto/conversation.dto';
import {
  ChangeConversationRequest,
  ChangeOwnerRequest,
  ConversationSettingsRequest,
  CreateConversationRequest,
  ListConversationsQuery,
} from './dto/conversation-requests.dto';
import { MarkReadRequest } from './dto/message-requests.dto';
import { OwnershipService } from './services/ownership.service';
import { ReadPositionsService } from './services/read-positions.service';

@ApiTags('Conversations')
@Controller('api/messages')
export class ConversationsController {
  constructor(
    private readonly creation: ConversationCreationService,
    private readonly conversations: ConversationsService,
    private readonly views: ConversationViews,
    private readonly readPositions: ReadPositionsService,
    private readonly ownership: OwnershipService,
  ) {}

  @Get('conversations')
  @ApiOperation({ summary: 'List conversations: pinned first, then by their newest message' })
  @ApiEnvelope({ page: ItemsPage, of: ConversationResponse })
  @SendsHeaders('X-Event-Cursor', 'X-Pinned-Count')
  async listConversations(
    @CurrentUser() user: Principal,
    @Query() query: ListConversationsQuery,
  ): Promise<WithHeaders<ItemsPage<ConversationResponse>>> {
    const { page, cursor } = await this.views.list(user.id, query);
    return withCursor(page, cursor);
  }

  @Post('conversations')
  @AuditedOnBehalf('conversation.create')
  @KeyOnBehalf('messages:send-as')
  @ApiOperation({ summary: 'Create a group, or open the single chat with a user' })
  @ApiEnvelope(
    ConversationResponse,
    'NOT_ALLOWED',
    'USER_NOT_FOUND',
    'CONVERSATION_FORBIDDEN',
    'ATTACHMENT_NOT_FOUND',
  )
  createConversation(
    @CurrentUser() user: Principal,
    @Body(ChargeIds) body: CreateConversationRequest,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<ConversationResponse> {
    return this.creation.create(user, body, idempotency);
  }

  @Get('conversations/:id')
  @ApiOperation({ summary: 'Get a conversation' })
  @ApiEnvelope(ConversationResponse, 'CONVERSATION_FORBIDDEN')
  getConversation(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
  ): Promise<ConversationResponse> {
    return this.views.one(user.id, id);
  }

  @Put('conversations/:id')
  @ApiOperation({ summary: "Change a group's name or picture, as its owner" })
  @ApiEnvelope(ConversationResponse, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED', 'ATTACHMENT_NOT_FOUND')
  changeConversation(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: ChangeConversationRequest,
  ): Promise<ConversationResponse> {
    return this.conversations.change(user.id, id, body);
  }

  @Put('conversations/:id/owner')
  @ApiOperation({ summary: 'Make another member the owner of a group, as its owner' })
  @ApiEnvelope(ConversationResponse, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED', 'USER_NOT_FOUND')
  changeConversationOwner(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: ChangeOwnerRequest,
  ): Promise<ConversationResponse> {
    return this.ownership.transfer(user.id, id, body.user_id as UserId);
  }

  @Delete('conversations/:id')
  @ApiOperation({ summary: 'Dissolve a group, as its owner' })
  @ApiEnvelope(null, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED')
  deleteConversation(@CurrentUser() user: Principal, @PathId('id') id: ConversationId): Promise<void> {
    return this.ownership.dissolve(user.id, id);
  }

  @Put('conversations/:id/settings')
  @ApiOperation({ summary: 'Pin, mute or hide a conversation for the user only' })
  @ApiEnvelope(ConversationResponse, 'CONVERSATION_FORBIDDEN')
  changeConversationSettings(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: ConversationSettingsRequest,
  ): Promise<ConversationResponse> {
    return this.conversations.changeSettings(user.id, id, body);
  }

  @Post('conversations/:id/read')
  @ApiOperation({ summary: 'Mark a conversation read up to a message' })
  @ApiEnvelope(UnreadCountResponse, 'CONVERSATION_FORBIDDEN', 'MESSAGE_NOT_FOUND')
  markConversationRead(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: MarkReadRequest,
  ): Promise<UnreadCountResponse> {
    return this.readPositions.markRead(user.id, id, body.message_id);
  }

  @Get('unread-count')
  @ApiOperation({ summary: 'Count the unread messages in all conversations that are not muted' })
  @ApiEnvelope(UnreadTotalResponse)
  countUnreadMessages(@CurrentUser() user: Principal): Promise<UnreadTotalResponse> {
    return this.views.unreadTotal(user.id);
  }
}
