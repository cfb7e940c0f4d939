import type { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { exportRows } from '../common/export/row-export';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ApiExport } from '../openapi/api-export.decorator';
import { AuditLogService } from './audit-log.service';
import { ExportAuditQuery, ListAuditQuery } from './dto/audit-requests.dto';
import { AuditResponse } from './dto/audit-responses.dto';

@ApiTags('Audit')
@Controller('api/admin/audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @KeyScope('audit:read')
  @ApiOperation({ summary: 'List audit log entries, newest first' })
  @ApiEnvelope(AuditResponse)
  listAudit(@Query() query: ListAuditQuery): Promise<AuditResponse> {
    return this.log.list(query);
  }

  @Get('export')
  @KeyScope('audit:read')
  @ApiOperation({ summary: 'Export the audit log as a file, without the last 15 seconds' })
  @ApiExport()
  exportAudit(
    @Query() query: ExportAuditQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return exportRows(reply, this.log.export(query));
  }
}
