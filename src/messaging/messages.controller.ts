import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Answers } from '../common/http/answers.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/http/path-id.decorator';
import { MessageResponse } from './dto/message.dto';
import { HistoryQuery, SendMessageRequest } from './dto/message-requests.dto';
import { HistoryService } from './history.service';
import { MessagesService } from './messages.service';
import { RecallsService } from './recalls.service';

@ApiTags('Messages')
@Controller('api/messages')
export class MessagesController {
  constructor(
    private readonly histories: HistoryService,
    private readonly messages: MessagesService,
    private readonly recalls: RecallsService,
  ) {}

  @Get('conversations/:id/messages')
  @ApiOperation({
    summary: 'The history, newest first; the conversation is then read, unless `mark_read` is 0',
  })
  @Answers({ page: ItemsPage, of: MessageResponse }, 'CONVERSATION_FORBIDDEN', 'MESSAGE_NOT_FOUND')
  listMessages(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Query() query: HistoryQuery,
    @Req() request: FastifyRequest,
  ): Promise<ItemsPage<MessageResponse>> {
    return this.histories.page(id, user.id, query, { isSafe: request.method === 'HEAD' });
  }

  @Post('conversations/:id/messages')
  @ApiOperation({ summary: 'Send a message' })
  @Answers(MessageResponse, 'CONVERSATION_FORBIDDEN', 'REQUEST_ID_REUSED')
  sendMessage(
    @CurrentUser() user: Principal,
    @PathId('id') id: number,
    @Body() body: SendMessageRequest,
  ): Promise<MessageResponse> {
    return this.messages.send(id, user.id, body);
  }

  @Post(':id/recall')
  @ApiOperation({ summary: "Take one's message back" })
  @Answers(MessageResponse, 'MESSAGE_NOT_FOUND', 'NOT_ALLOWED', 'RECALL_TOO_LATE')
  recallMessage(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<MessageResponse> {
    return this.recalls.recall(id, user.id);
  }
}
