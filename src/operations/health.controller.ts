import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../common/auth/public.decorator';
import type { SchemaObject } from '../openapi/document-types';
import { RawResponse } from '../common/http/response.decorators';
import { type Checks, Readiness } from './readiness';

const state = (dependency: string): SchemaObject => ({
  type: 'string',
  enum: ['up', 'down'],
  description: `Whether ${dependency} responds`,
});

const READINESS: SchemaObject = {
  type: 'object',
  required: ['status', 'checks'],
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'unavailable'],
      description: 'Whether the instance can serve requests: with HTTP 200 `ok`, with 503 `unavailable`',
    },
    checks: {
      type: 'object',
      description: 'State of the dependencies',
      required: ['database'],
      properties: { database: state('the database'), redis: state('Redis, if it is configured,') },
    },
  },
};

@ApiTags('Operations')
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @RawResponse()
  @ApiOperation({ summary: 'Liveness: whether the process runs' })
  @ApiResponse({
    status: 200,
    description: 'Returned as long as the process can respond',
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', enum: ['ok'], description: 'Always `ok`' } },
    },
  })
  getLiveness(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @RawResponse()
  @ApiOperation({
    summary:
      'Readiness: whether the instance can serve requests, that is, its database and, if configured, Redis respond',
  })
  @ApiResponse({ status: 200, description: 'Ready', schema: READINESS })
  @ApiResponse({ status: 503, description: 'Not ready, or shutting down', schema: READINESS })
  async getReadiness(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ status: string; checks: Checks }> {
    const { ready, checks } = await this.readiness.check();
    void reply.status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }
}
