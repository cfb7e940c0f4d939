import { Body, Controller, Get, Post, Put, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AuditedOnBehalf } from '../audit/recording/audited.decorator';
import { KeyOnBehalf } from '../common/auth/api-keys/key-scope.decorator';
import { CurrentUser, type Principal } from '../common/auth/principal';
import type { ConversationId, MessageId } from '../common/ids';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { IdempotencyKey, withRequestId } from '../common/input/idempotency-key';
import { PathId } from '../common/input/path-id.decorator';
import { MessageResponse, ReaderResponse, type ReadersPageResponse } from './dto/message.dto';
import {
  EditMessageRequest,
  HistoryQuery,
  ReadersQuery,
  SendMessageRequest,
} from './dto/message-requests.dto';
import { EditsService } from './services/edits.service';
import { HistoryService } from './services/history.service';
import { MessagesService } from './services/messages.service';
import { RecallsService } from './services/recalls.service';
import { MessageAudienceViews } from './views/message-audience.views';

@ApiTags('Messages')
@Controller('api/messages')
export class MessagesController {
  constructor(
    private readonly histories: HistoryService,
    private readonly messages: MessagesService,
    private readonly edits: EditsService,
    private readonly recalls: RecallsService,
    private readonly audiences: MessageAudienceViews,
  ) {}

  @Get('conversations/:id/messages')
  @ApiOperation({
    summary: 'List the history, newest first, and mark the conversation read unless `mark_read` is 0',
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
  @AuditedOnBehalf('message.send')
  @KeyOnBehalf('messages:send-as')
  @ApiOperation({ summary: 'Send a message or uploaded files, or forward a message' })
  @ApiEnvelope(
    MessageResponse,
    'CONVERSATION_FORBIDDEN',
    'NOT_ALLOWED',
    'MESSAGE_NOT_FOUND',
    'ATTACHMENT_NOT_FOUND',
    'REQUEST_ID_REUSED',
  )
  sendMessage(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: SendMessageRequest,
    @IdempotencyKey() key?: string,
  ): Promise<MessageResponse> {
    return this.messages.send(user.id, id, withRequestId(key, 'client_msg_id', body));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a message without marking it read' })
  @ApiEnvelope(MessageResponse, 'MESSAGE_NOT_FOUND')
  getMessage(@CurrentUser() user: Principal, @PathId('id') id: MessageId): Promise<MessageResponse> {
    return this.histories.one(user.id, id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Edit a text message that the user has sent' })
  @ApiEnvelope(MessageResponse, 'MESSAGE_NOT_FOUND', 'NOT_ALLOWED', 'EDIT_TOO_LATE')
  editMessage(
    @CurrentUser() user: Principal,
    @PathId('id') id: MessageId,
    @Body() body: EditMessageRequest,
  ): Promise<MessageResponse> {
    return this.edits.edit(user.id, id, body.content);
  }

  @Get(':id/readers')
  @ApiOperation({ summary: 'List the members who have read a message of the user, the first reader first' })
  @ApiEnvelope(
    { page: ItemsPage, of: ReaderResponse, counts: ['read_count', 'unread_count'] },
    'MESSAGE_NOT_FOUND',
  )
  listReaders(
    @CurrentUser() user: Principal,
    @PathId('id') id: MessageId,
    @Query() query: ReadersQuery,
  ): Promise<ReadersPageResponse> {
    return this.audiences.listReaders(user.id, id, query);
  }

  @Post(':id/recall')
  @AuditedOnBehalf('message.recall')
  @KeyOnBehalf('messages:send-as')
  @ApiOperation({ summary: 'Recall a message that the user has sent' })
  @ApiEnvelope(MessageResponse, 'MESSAGE_NOT_FOUND', 'NOT_ALLOWED', 'RECALL_TOO_LATE')
  recallMessage(@CurrentUser() user: Principal, @PathId('id') id: MessageId): Promise<MessageResponse> {
    return this.recalls.recall(user.id, id);
  }
}
