import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { RawResponse } from '../../common/http/response.decorators';
import { SendsHeaders } from '../../openapi/response-headers';
import { ApiEnvelope, ApiErrors } from '../../openapi/api-envelope.decorator';
import { PresenceQuery, PresenceResponse } from '../dto/presence.dto';
import { PresenceService } from './presence.service';

@ApiTags('People')
@Controller('api/presence')
export class PresenceController {
  constructor(private readonly presence: PresenceService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the presence of users with a single chat, or of the members of a conversation',
  })
  @ApiEnvelope(PresenceResponse, 'CONVERSATION_FORBIDDEN')
  getPresence(@CurrentUser() user: Principal, @Query() query: PresenceQuery): Promise<PresenceResponse> {
    return this.presence.get(user, query);
  }

  @Get('stream')
  @RawResponse({ longLived: true })
  @ApiOperation({
    summary: 'Stream presence (Server-Sent Events): first the current state, then each change',
  })
  @ApiProduces('text/event-stream')
  @ApiResponse({
    status: 200,
    description: 'Frames `presence`, whose `data` is one item; the stream stays open until the token expires',
    // Schema of `data`.
    content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/PresenceItemResponse' } } },
  })
  @SendsHeaders('Cache-Control')
  @ApiErrors('CONVERSATION_FORBIDDEN')
  watchPresence(
    @CurrentUser() user: Principal,
    @Query() query: PresenceQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.presence.open(user, query, request, reply);
  }
}
