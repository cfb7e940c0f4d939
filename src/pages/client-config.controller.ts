import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../common/auth/public.decorator';
import { RawResponse } from '../common/http/response.decorators';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ClientConfigService } from './client-config.service';
import { ClientConfigResponse } from './dto/client-config.dto';

@ApiTags('Clients')
@Controller('api/client-config')
export class ClientConfigController {
  constructor(private readonly configs: ClientConfigService) {}

  @Get()
  @Public()
  @ApiOperation({
    summary: 'Configuration that a client needs before log-in; 304 if `If-None-Match` has the current ETag',
  })
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'ETag of the cached response',
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  })
  @RawResponse()
  @ApiEnvelope(ClientConfigResponse)
  @ApiResponse({ status: 304, description: 'The cached response of the client is current' })
  @SendsHeaders('ETag', 'Cache-Control')
  async getClientConfig(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    return (await this.configs.current(request)).answer(request, reply);
  }
}
