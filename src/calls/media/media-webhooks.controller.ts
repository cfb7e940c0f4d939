import { Controller, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../common/auth/public.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import type { SchemaObject } from '../../openapi/document-types';
import { CountedWhenRefused } from '../../rate-limit/request-rate';
import { MediaWebhooksService } from './media-webhooks.service';

/* What the media provider posts. Only the controller of the configured provider is registered (contract 3.5). */

/** As much of an event as is looked at. */
const AGORA_EVENT: SchemaObject = {
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

const LIVEKIT_EVENT: SchemaObject = {
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
export class AgoraWebhookController {
  constructor(private readonly webhooks: MediaWebhooksService) {}

  @Post()
  @CountedWhenRefused()
  @ApiOperation({ summary: "Agora's channel events, signed with the webhook secret" })
  @ApiHeader({ name: 'Agora-Signature-V2', required: false, description: 'HMAC-SHA256 of the body, in hex' })
  @ApiHeader({ name: 'Agora-Signature', required: false, description: 'HMAC-SHA1, where there is no other' })
  @ApiBody({ schema: AGORA_EVENT })
  @ApiEnvelope(null, 'UNAUTHORIZED', 'MALFORMED_JSON', 'VALIDATION')
  receive(@Req() request: FastifyRequest): Promise<void> {
    return this.webhooks.receive(request);
  }
}

@ApiTags('Media webhooks')
@Controller('api/media/webhooks/livekit')
@Public()
export class LivekitWebhookController {
  constructor(private readonly webhooks: MediaWebhooksService) {}

  @Post()
  @CountedWhenRefused()
  @ApiOperation({ summary: "LiveKit's room events, signed with the API secret" })
  @ApiHeader({ name: 'Authorization', required: false, description: 'A JWT with the hash of the body' })
  @ApiBody({ schema: LIVEKIT_EVENT })
  @ApiEnvelope(null, 'UNAUTHORIZED')
  receive(@Req() request: FastifyRequest): Promise<void> {
    return this.webhooks.receive(request);
  }
}
