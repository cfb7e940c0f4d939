import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Answers } from '../common/http/answers.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/http/path-id.decorator';
import { WithHeaders } from '../common/http/with-headers';
import { EventsService } from '../events/events.service';
import { CallHistory } from './call-history';
import { CallsService } from './calls.service';
import {
  CancelCallDto,
  HangUpCallDto,
  MediaStateDto,
  RejectCallDto,
  TerminalDto,
} from './dto/act-on-call.dto';
import { CallRecord, ListCallsQuery } from './dto/call-record.dto';
import { AcceptedCall, CallStatusResult, MediaStateResult, RenewedToken } from './dto/call-results.dto';
import { CreateCallDto, CreatedCall } from './dto/create-call.dto';

@ApiTags('Calls')
@Controller('api/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly history: CallHistory,
    private readonly events: EventsService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Call a user' })
  @Answers(
    CreatedCall,
    'USER_NOT_FOUND',
    'REQUEST_ID_REUSED',
    'CALLEE_UNREACHABLE',
    'CALLER_BUSY',
    'CALLEE_BUSY',
  )
  create(@CurrentUser() user: Principal, @Body() body: CreateCallDto): Promise<CreatedCall> {
    return this.calls.create(user.id, body);
  }

  @Get()
  @ApiOperation({ summary: "List one's own calls, newest first" })
  @Answers({ page: ItemsPage, of: CallRecord })
  list(@CurrentUser() user: Principal, @Query() query: ListCallsQuery): Promise<ItemsPage<CallRecord>> {
    return this.history.list(user.id, query);
  }

  @Get('active')
  @ApiOperation({ summary: "One's unfinished call, or null: what a cold start asks" })
  @Answers({ maybe: CallRecord })
  findActive(@CurrentUser() user: Principal): Promise<WithHeaders<CallRecord | null>> {
    return this.events.withCursor(user.id, () => this.history.findActive(user.id));
  }

  @Get(':callId')
  @ApiOperation({ summary: 'One call, for its participants' })
  @Answers(CallRecord, 'CALL_NOT_FOUND')
  find(@CurrentUser() user: Principal, @PathId('callId') callId: number): Promise<CallRecord> {
    return this.history.find(user.id, callId);
  }

  @Post(':callId/accept')
  @ApiOperation({ summary: 'Answer a call: the first terminal wins' })
  @Answers(AcceptedCall, 'CALL_NOT_FOUND', 'NOT_CALLEE', 'ANSWERED_ELSEWHERE', 'CALL_FINISHED')
  accept(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: number,
    @Body() body: TerminalDto,
  ): Promise<AcceptedCall> {
    return this.calls.accept(user.id, callId, body);
  }

  @Post(':callId/reject')
  @ApiOperation({ summary: 'Decline a call that rings' })
  @Answers(CallStatusResult, 'CALL_NOT_FOUND', 'NOT_CALLEE', 'CALL_ANSWERED', 'CALL_FINISHED')
  reject(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: number,
    @Body() body: RejectCallDto,
  ): Promise<CallStatusResult> {
    return this.calls.reject(user.id, callId, body);
  }

  @Post(':callId/cancel')
  @ApiOperation({ summary: 'Take back a call that nobody has answered yet' })
  @Answers(CallStatusResult, 'CALL_NOT_FOUND', 'NOT_CALLER', 'CALL_ANSWERED', 'CALL_FINISHED')
  cancel(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: number,
    @Body() body: CancelCallDto,
  ): Promise<CallStatusResult> {
    return this.calls.cancel(user.id, callId, body);
  }

  @Post(':callId/hangup')
  @ApiOperation({ summary: 'End a call that was answered' })
  @Answers(CallStatusResult, 'CALL_NOT_FOUND', 'NOT_PARTICIPANT', 'CALL_NOT_ANSWERED', 'CALL_FINISHED')
  hangUp(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: number,
    @Body() body: HangUpCallDto,
  ): Promise<CallStatusResult> {
    return this.calls.hangUp(user.id, callId, body);
  }

  @Post(':callId/media-state')
  @ApiOperation({ summary: 'Report how far a terminal has come with the media' })
  @Answers(MediaStateResult, 'CALL_NOT_FOUND', 'NOT_PARTICIPANT')
  reportMedia(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: number,
    @Body() body: MediaStateDto,
  ): Promise<MediaStateResult> {
    return this.calls.reportMedia(user.id, callId, body);
  }

  @Post(':callId/token')
  @ApiOperation({ summary: 'A fresh media token for the same media user' })
  @Answers(RenewedToken, 'CALL_NOT_FOUND', 'NOT_PARTICIPANT', 'CALL_NOT_ANSWERED', 'CALL_FINISHED')
  renewToken(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: number,
    @Body() _body: TerminalDto,
  ): Promise<RenewedToken> {
    return this.calls.renewToken(user.id, callId);
  }
}
