import type { Readable } from 'node:stream';
import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audited } from '../audit/recording/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { exportRows } from '../common/export/row-export';
import type { CallId } from '../common/ids';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ApiExport } from '../openapi/api-export.decorator';
import { CallAdministrationService } from './services/call-administration.service';
import { CallSearchService } from './services/call-search.service';
import { AdminCallDetailResponse, EndCallRequest } from './dto/admin-call.dto';
import { AdminCallResponse } from './dto/call-record.dto';
import {
  AdminCallsResponse,
  CALL_COLUMNS,
  ExportCallsQuery,
  ListAllCallsQuery,
} from './dto/search-calls.dto';

@ApiTags('Calls')
@Controller('api/admin/calls')
export class AdminCallsController {
  constructor(
    private readonly calls: CallAdministrationService,
    private readonly search: CallSearchService,
  ) {}

  @Get()
  @KeyScope('calls:read')
  @ApiOperation({ summary: 'List all calls, newest first' })
  @ApiEnvelope(AdminCallsResponse)
  listAllCalls(@Query() query: ListAllCallsQuery): Promise<AdminCallsResponse> {
    return this.search.list(query);
  }

  @Get('export')
  @KeyScope('calls:read')
  @ApiOperation({ summary: 'Export all calls except those of the last 15 s' })
  @ApiExport()
  async exportCalls(
    @Query() { format, ...filters }: ExportCallsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return exportRows(reply, {
      name: 'calls',
      format,
      columns: CALL_COLUMNS,
      pages: this.search.export(filters),
    });
  }

  @Post(':callId/end')
  @Audited('call.end')
  @ApiOperation({ summary: 'End a call in any state; a finished call is returned unchanged' })
  @ApiEnvelope(AdminCallResponse, 'CALL_NOT_FOUND')
  endCall(@PathId('callId') callId: CallId, @Body() body: EndCallRequest): Promise<AdminCallResponse> {
    return this.calls.end(callId, body.reason);
  }

  @Get(':callId')
  @KeyScope('calls:read')
  @ApiOperation({ summary: 'Get a call with its terminals and timeline' })
  @ApiEnvelope(AdminCallDetailResponse, 'CALL_NOT_FOUND')
  getCallDetails(@PathId('callId') callId: CallId): Promise<AdminCallDetailResponse> {
    return this.calls.find(callId);
  }
}
