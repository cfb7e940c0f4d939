import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { actingTerminal, withActingTerminal } from '../common/auth/session-terminal';
import type { CallId } from '../common/ids';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { IdempotencyKey, withRequestId } from '../common/input/idempotency-key';
import { PathId } from '../common/input/path-id.decorator';
import { WithHeaders } from '../common/http/with-headers';
import { EventsService } from '../events/events.service';
import { withCursor } from '../events/log/cursor';
import { CallHistoryService } from './services/call-history.service';
import { CallsService } from './services/calls.service';
import {
  CancelCallRequest,
  HangUpCallRequest,
  MediaStateRequest,
  RejectCallRequest,
  TerminalRequest,
} from './dto/act-on-call.dto';
import { CallResponse, ListCallsQuery } from './dto/call-record.dto';
import {
  AcceptedCallResponse,
  CallStatusResponse,
  MediaStateResponse,
  RenewedTokenResponse,
} from './dto/call-results.dto';
import { CreateCallRequest, CreatedCallResponse } from './dto/create-call.dto';
import { MediaReportsService } from './media/media-reports.service';

@ApiTags('Calls')
@Controller('api/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly reports: MediaReportsService,
    private readonly history: CallHistoryService,
    private readonly events: EventsService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Call a user' })
  @ApiEnvelope(
    CreatedCallResponse,
    'USER_NOT_FOUND',
    'REQUEST_ID_REUSED',
    'CALLEE_UNREACHABLE',
    'CALLER_BUSY',
    'CALLEE_BUSY',
  )
  placeCall(
    @CurrentUser() user: Principal,
    @Body() body: CreateCallRequest,
    @IdempotencyKey() key?: string,
  ): Promise<CreatedCallResponse> {
    return this.calls.create(user, withRequestId(key, 'request_id', withActingTerminal(user, body)));
  }

  @Get()
  @ApiOperation({ summary: "List the user's calls, newest first" })
  @ApiEnvelope({ page: ItemsPage, of: CallResponse })
  listCalls(
    @CurrentUser() user: Principal,
    @Query() query: ListCallsQuery,
  ): Promise<ItemsPage<CallResponse>> {
    return this.history.list(user.id, query);
  }

  @Get('active')
  @ApiOperation({ summary: "Get the user's unfinished call, or null, when a client starts" })
  @ApiEnvelope({ maybe: CallResponse })
  @SendsHeaders('X-Event-Cursor')
  async getActiveCall(@CurrentUser() user: Principal): Promise<WithHeaders<CallResponse | null>> {
    // Read the cursor first: a change between the two reads is then delivered as an event instead of being lost.
    const cursor = await this.events.cursorOf(user.id);
    return withCursor(await this.history.findActive(user.id), cursor);
  }

  @Get(':callId')
  @ApiOperation({ summary: 'Get a call; participants only' })
  @ApiEnvelope(CallResponse, 'CALL_NOT_FOUND')
  getCall(@CurrentUser() user: Principal, @PathId('callId') callId: CallId): Promise<CallResponse> {
    return this.history.find(user.id, callId);
  }

  @Post(':callId/accept')
  @ApiOperation({ summary: 'Answer a call; the first terminal wins' })
  @ApiEnvelope(AcceptedCallResponse, 'CALL_NOT_FOUND', 'NOT_CALLEE', 'ANSWERED_ELSEWHERE', 'CALL_FINISHED')
  acceptCall(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: TerminalRequest,
  ): Promise<AcceptedCallResponse> {
    return this.calls.accept(user.id, callId, withActingTerminal(user, body));
  }

  @Post(':callId/reject')
  @ApiOperation({ summary: 'Decline a ringing call' })
  @ApiEnvelope(CallStatusResponse, 'CALL_NOT_FOUND', 'NOT_CALLEE', 'CALL_ANSWERED', 'CALL_FINISHED')
  rejectCall(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: RejectCallRequest,
  ): Promise<CallStatusResponse> {
    return this.calls.reject(user.id, callId, withActingTerminal(user, body));
  }

  @Post(':callId/cancel')
  @ApiOperation({ summary: 'Cancel a call that has not been answered' })
  @ApiEnvelope(CallStatusResponse, 'CALL_NOT_FOUND', 'NOT_CALLER', 'CALL_ANSWERED', 'CALL_FINISHED')
  cancelCall(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: CancelCallRequest,
  ): Promise<CallStatusResponse> {
    return this.calls.cancel(user.id, callId, withActingTerminal(user, body));
  }

  @Post(':callId/hangup')
  @ApiOperation({ summary: 'Hang up an answered call' })
  @ApiEnvelope(CallStatusResponse, 'CALL_NOT_FOUND', 'NOT_PARTICIPANT', 'CALL_NOT_ANSWERED', 'CALL_FINISHED')
  hangUpCall(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: HangUpCallRequest,
  ): Promise<CallStatusResponse> {
    return this.calls.hangUp(user.id, callId, withActingTerminal(user, body));
  }

  @Post(':callId/media-state')
  @ApiOperation({ summary: 'Report the media state of a terminal' })
  @ApiEnvelope(MediaStateResponse, 'CALL_NOT_FOUND', 'NOT_PARTICIPANT')
  reportCallMedia(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: MediaStateRequest,
  ): Promise<MediaStateResponse> {
    return this.reports.report(user.id, callId, withActingTerminal(user, body));
  }

  @Post(':callId/token')
  @ApiOperation({ summary: 'Issue a new media token for the same uid' })
  @ApiEnvelope(
    RenewedTokenResponse,
    'CALL_NOT_FOUND',
    'NOT_PARTICIPANT',
    'CALL_NOT_ANSWERED',
    'CALL_FINISHED',
  )
  renewCallToken(
    @CurrentUser() user: Principal,
    @PathId('callId') callId: CallId,
    @Body() body: TerminalRequest,
  ): Promise<RenewedTokenResponse> {
    actingTerminal(user, body.terminal_id);
    return this.calls.renewToken(user.id, callId);
  }
}
