import { Controller, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../common/auth/public.decorator';
import { Answers } from '../common/http/answers.decorator';
import { CountedWhenRefused } from '../common/rate-limit/request-rate';
import { MediaWebhooks } from './media-webhooks';

/* What the media provider posts. Only the controller of the configured provider is registered (contract 3.5). */

@ApiTags('Media webhooks')
@Controller('api/media/webhooks/agora')
@Public()
@CountedWhenRefused()
export class AgoraWebhookController {
  constructor(private readonly webhooks: MediaWebhooks) {}

  @Post()
  @ApiOperation({ summary: "Agora's channel events, signed with the webhook secret" })
  @Answers(null, 'UNAUTHORIZED', 'MALFORMED_JSON')
  receive(@Req() request: FastifyRequest): Promise<void> {
    return this.webhooks.receive(request);
  }
}

@ApiTags('Media webhooks')
@Controller('api/media/webhooks/livekit')
@Public()
@CountedWhenRefused()
export class LivekitWebhookController {
  constructor(private readonly webhooks: MediaWebhooks) {}

  @Post()
  @ApiOperation({ summary: "LiveKit's room events, signed with the API secret" })
  @Answers(null, 'UNAUTHORIZED')
  receive(@Req() request: FastifyRequest): Promise<void> {
    return this.webhooks.receive(request);
  }
}
