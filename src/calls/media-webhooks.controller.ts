import { Controller, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../common/auth/public.decorator';
import { Answers } from '../common/http/answers.decorator';
import type { SchemaObject } from '../common/http/open-api';
import { CountedWhenRefused } from '../common/rate-limit/request-rate';
import { MediaWebhooks } from './media-webhooks';

/* What the media provider posts. Only the controller of the configured provider is registered (contract 3.5). */

/** As much of a notice as is looked at. */
const AGORA_NOTICE: SchemaObject = {
  type: 'object',
  properties: {
    noticeId: { type: 'string', maxLength: 100, description: 'The same one again changes nothing' },
    productId: { type: 'integer', enum: [1] },
    eventType: { type: 'integer', enum: [102, 103, 104, 105, 106, 107, 108] },
    payload: {
      type: 'object',
      properties: {
        channelName: { type: 'string' },
        uid: { type: 'integer', minimum: 1, maximum: 4_294_967_295 },
        clientSeq: { type: 'integer', minimum: 0, description: 'The order of what one user did' },
        ts: { type: 'integer', minimum: 0, description: 'Seconds since 1970' },
        reason: { type: 'integer', enum: [1, 2, 3, 4, 9, 10, 12, 99] },
      },
    },
  },
};

const LIVEKIT_NOTICE: SchemaObject = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The same one again changes nothing' },
    event: { type: 'string', enum: ['participant_joined', 'participant_left', 'room_finished'] },
    createdAt: { type: 'string', description: 'Seconds since 1970' },
    room: { type: 'object', properties: { name: { type: 'string' } } },
    participant: {
      type: 'object',
      properties: { identity: { type: 'string' }, disconnectReason: { type: 'string' } },
    },
  },
};

@ApiTags('Media webhooks')
@Controller('api/media/webhooks/agora')
@Public()
@CountedWhenRefused()
export class AgoraWebhookController {
  constructor(private readonly webhooks: MediaWebhooks) {}

  @Post()
  @ApiOperation({ summary: "Agora's channel events, signed with the webhook secret" })
  @ApiHeader({ name: 'Agora-Signature-V2', required: false, description: 'HMAC-SHA256 of the body, in hex' })
  @ApiHeader({ name: 'Agora-Signature', required: false, description: 'HMAC-SHA1, where there is no other' })
  @ApiBody({ schema: AGORA_NOTICE })
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
  @ApiHeader({ name: 'Authorization', required: false, description: 'A JWT with the hash of the body' })
  @ApiBody({ schema: LIVEKIT_NOTICE })
  @Answers(null, 'UNAUTHORIZED')
  receive(@Req() request: FastifyRequest): Promise<void> {
    return this.webhooks.receive(request);
  }
}
