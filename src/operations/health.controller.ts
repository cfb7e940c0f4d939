import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../common/auth/public.decorator';
import { RawResponse } from '../common/http/response.decorators';
import { type Checks, Readiness } from './readiness';

@ApiTags('Operations')
@Controller('health')
@Public()
@RawResponse()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ summary: 'The process runs' })
  @ApiResponse({ status: 200, description: 'Always, as long as there is someone to answer' })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'The instance can take requests: its database and, when configured, Redis are there',
  })
  @ApiResponse({ status: 200, description: 'Ready' })
  @ApiResponse({ status: 503, description: 'Not ready, or shutting down' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<{ status: string; checks: Checks }> {
    const { ready, checks } = await this.readiness.check();
    void reply.status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }
}
