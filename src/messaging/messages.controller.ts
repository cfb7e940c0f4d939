import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentUser, type Principal } from '../common/auth/principal';
import type { ConversationId, MessageId } from '../common/ids';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { MessageResponse, ReaderResponse, type ReadersPageResponse } from './dto/message.dto';
import { HistoryQuery, ReadersQuery, SendMessageRequest } from './dto/message-requests.dto';
import { HistoryService } from './services/history.service';
import { MessagesService } from './services/messages.service';
import { RecallsService } from './services/recalls.service';
import { ReaderViews } from './views/reader-views';

@ApiTags('Messages')
@Controller('api/messages')
export class MessagesController {
  constructor(
    private readonly histories: HistoryService,
    private readonly messages: MessagesService,
    private readonly recalls: RecallsService,
    private readonly readers: ReaderViews,
  ) {}

  @Get('conversations/:id/messages')
  @ApiOperation({
    summary: 'The history, newest first; the conversation is then read, unless `mark_read` is 0',
  })
  @ApiEnvelope({ page: ItemsPage, of: MessageResponse }, 'CONVERSATION_FORBIDDEN', 'MESSAGE_NOT_FOUND')
  listMessages(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Query() query: HistoryQuery,
    @Req() request: FastifyRequest,
  ): Promise<ItemsPage<MessageResponse>> {
    return this.histories.page(user.id, id, query, { isSafe: request.method === 'HEAD' });
  }

  @Post('conversations/:id/messages')
  @ApiOperation({ summary: 'Send a message' })
  @ApiEnvelope(MessageResponse, 'CONVERSATION_FORBIDDEN', 'REQUEST_ID_REUSED')
  sendMessage(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: SendMessageRequest,
  ): Promise<MessageResponse> {
    return this.messages.send(user.id, id, body);
  }

  @Get(':id/readers')
  @ApiOperation({ summary: "The members who have read one's message, the first reader first" })
  @ApiEnvelope(
    { page: ItemsPage, of: ReaderResponse, counts: ['read_count', 'unread_count'] },
    'MESSAGE_NOT_FOUND',
  )
  listReaders(
    @CurrentUser() user: Principal,
    @PathId('id') id: MessageId,
    @Query() query: ReadersQuery,
  ): Promise<ReadersPageResponse> {
    return this.readers.list(user.id, id, query);
  }

  @Post(':id/recall')
  @ApiOperation({ summary: "Take one's message back" })
  @ApiEnvelope(MessageResponse, 'MESSAGE_NOT_FOUND', 'NOT_ALLOWED', 'RECALL_TOO_LATE')
  recallMessage(@CurrentUser() user: Principal, @PathId('id') id: MessageId): Promise<MessageResponse> {
    return this.recalls.recall(user.id, id);
  }
}
