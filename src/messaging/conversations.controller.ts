import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Answers } from '../common/http/answers.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/http/path-id.decorator';
import type { WithHeaders } from '../common/http/with-headers';
import { withCursor } from '../events/event-cursor';
import { ConversationViews } from './conversation-views.service';
import { ConversationsService } from './conversations.service';
import { ConversationResponse, UnreadCountResponse, UnreadTotalResponse } from './dto/conversation.dto';
import {
  ChangeConversationRequest,
  ConversationSettingsRequest,
  CreateConversationRequest,
  ListConversationsQuery,
} from './dto/conversation-requests.dto';
import { MarkReadRequest } from './dto/message-requests.dto';
import { ReadPositions } from './read-positions.service';

@ApiTags('Conversations')
@Controller('api/messages')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly views: ConversationViews,
    private readonly readPositions: ReadPositions,
  ) {}

  @Get('conversations')
  @ApiOperation({ summary: "One's conversations: pinned first, then the newest message" })
  @Answers({ page: ItemsPage, of: ConversationResponse })
  async listConversations(
    @CurrentUser() user: Principal,
    @Query() query: ListConversationsQuery,
  ): Promise<WithHeaders<ItemsPage<ConversationResponse>>> {
    const { page, cursor } = await this.views.list(user.id, query);
    return withCursor(page, cursor);
  }

  @Post('conversations')
  @ApiOperation({ summary: 'Make a group, or open the single chat with a user' })
  @Answers(ConversationResponse, 'USER_NOT_FOUND')
  createConversation(
    @CurrentUser() user: Principal,
    @Body() body: CreateConversationRequest,
  ): Promise<ConversationResponse> {
    return this.conversations.create(user.id, body);
  }

  @Get('conversations/:id')
  @ApiOperation({ summary: 'One conversation' })
  @Answers(ConversationResponse, 'CONVERSATION_FORBIDDEN')
  getConversation(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<ConversationResponse> {
    return this.views.one(id, user.id);
  }

  @Put('conversations/:id')
  @ApiOperation({ summary: "Change a group's name or picture, as its owner" })
  @Answers(ConversationResponse, 'CONVERSATION_FORBIDDEN', 'NOT_ALLOWED')
  changeConversation(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Body() body: ChangeConversationRequest,
  ): Promise<ConversationResponse> {
    return this.conversations.change(id, user.id, body);
  }

  @Put('conversations/:id/settings')
  @ApiOperation({ summary: 'Pin, mute or hide a conversation for oneself' })
  @Answers(ConversationResponse, 'CONVERSATION_FORBIDDEN')
  changeConversationSettings(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Body() body: ConversationSettingsRequest,
  ): Promise<ConversationResponse> {
    return this.conversations.changeSettings(id, user.id, body);
  }

  @Post('conversations/:id/read')
  @ApiOperation({ summary: 'Mark read up to a message' })
  @Answers(UnreadCountResponse, 'CONVERSATION_FORBIDDEN', 'MESSAGE_NOT_FOUND')
  markConversationRead(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Body() body: MarkReadRequest,
  ): Promise<UnreadCountResponse> {
    return this.readPositions.markRead(id, user.id, body.message_id);
  }

  @Get('unread-count')
  @ApiOperation({ summary: 'Unread messages of all conversations that are not muted' })
  @Answers(UnreadTotalResponse)
  countUnreadMessages(@CurrentUser() user: Principal): Promise<UnreadTotalResponse> {
    return this.views.unreadTotal(user.id);
  }
}
