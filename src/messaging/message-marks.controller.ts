import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { ItemsPage } from '../common/http/page';
import type { ConversationId, MessageId } from '../common/ids';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ReactionsResponse, ReactorResponse, ReactorsQuery, ReactRequest } from './dto/message-marks.dto';
import { OwnHistoryService } from './services/own-history.service';
import { ReactionsService } from './services/reactions.service';
import { MessageAudienceViews } from './views/message-audience.views';

@ApiTags('Messages')
@Controller('api/messages')
export class MessageMarksController {
  constructor(
    private readonly reactions: ReactionsService,
    private readonly audiences: MessageAudienceViews,
    private readonly ownHistories: OwnHistoryService,
  ) {}

  @Put(':id/reactions')
  @ApiOperation({ summary: 'React to a message with an emoji, or remove the reaction' })
  @ApiEnvelope(ReactionsResponse, 'MESSAGE_NOT_FOUND', 'NOT_ALLOWED')
  reactToMessage(
    @CurrentUser() user: Principal,
    @PathId('id') id: MessageId,
    @Body() body: ReactRequest,
  ): Promise<ReactionsResponse> {
    return this.reactions.react(user.id, id, body);
  }

  @Get(':id/reactions')
  @ApiOperation({ summary: 'List the reactions to a message, the earliest first' })
  @ApiEnvelope({ page: ItemsPage, of: ReactorResponse }, 'MESSAGE_NOT_FOUND', 'NOT_ALLOWED')
  listReactions(
    @CurrentUser() user: Principal,
    @PathId('id') id: MessageId,
    @Query() query: ReactorsQuery,
  ): Promise<ItemsPage<ReactorResponse>> {
    return this.audiences.listReactors(user.id, id, query);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a message for the user only' })
  @ApiEnvelope(null, 'MESSAGE_NOT_FOUND')
  deleteMessage(@CurrentUser() user: Principal, @PathId('id') id: MessageId): Promise<void> {
    return this.ownHistories.delete(user.id, id);
  }

  @Post('conversations/:id/clear')
  @ApiOperation({ summary: 'Mark a conversation read and clear its history, for the user only' })
  @ApiEnvelope(null, 'CONVERSATION_FORBIDDEN')
  clearConversation(@CurrentUser() user: Principal, @PathId('id') id: ConversationId): Promise<void> {
    return this.ownHistories.clear(user.id, id);
  }
}
