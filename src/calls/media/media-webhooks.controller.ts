import { Controller, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../common/auth/public.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import type { SchemaObject } from '../../openapi/document-types';
import { CountedWhenRefused } from '../../rate-limit/request-rate';
import { MediaWebhooksService } from './media-webhooks.service';

/* The webhooks of the media provider. Only the controller of the configured provider is registered (API 6.2). */

/** The fields of Agora's event that the service reads. */
const AGORA_EVENT: SchemaObject = {
  type: 'object',
  properties: {
    noticeId: {
      type: 'string',
      maxLength: 100,
      description: 'Id of the event: a repeated id changes nothing',
      example: '2000001428:4330:107',
    },
    productId: { type: 'integer', enum: [1], description: '1: real-time communication' },
    eventType: {
      type: 'integer',
      enum: [102, 103, 104, 105, 106, 107, 108],
      description: '102: the channel was closed; odd: a participant joined; other even: a participant left',
    },
    payload: {
      type: 'object',
      description: 'Details of the event',
      properties: {
        channelName: { type: 'string', description: 'The `channel_name` of the call', example: 'call_9f2c' },
        uid: {
          type: 'integer',
          minimum: 1,
          maximum: 4_294_967_295,
          description: 'The participant’s id in the channel',
          example: 2_882_341_273,
        },
        clientSeq: {
          type: 'integer',
          minimum: 0,
          description: 'Sequence number among the events of one participant',
          example: 1_625_051_030,
        },
        ts: {
          type: 'integer',
          minimum: 0,
          description: 'Time of the event: Unix time in seconds',
          example: 1_769_846_400,
        },
        reason: {
          type: 'integer',
          enum: [1, 2, 3, 4, 9, 10, 12, 99],
          description: 'Why the participant left, as a code of Agora; 1: quit',
        },
      },
    },
  },
};

const LIVEKIT_EVENT: SchemaObject = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      description: 'Id of the event: a repeated id changes nothing',
      example: 'EV_QbLpCuFbuXv5',
    },
    event: {
      type: 'string',
      enum: ['participant_joined', 'participant_left', 'room_finished'],
      description: 'Type of the event',
    },
    createdAt: {
      type: 'string',
      description: 'Time of the event: Unix time in seconds',
      example: '1769846400',
    },
    room: {
      type: 'object',
      description: 'The room of the event',
      properties: {
        name: { type: 'string', description: 'The `channel_name` of the call', example: 'call_9f2c' },
      },
    },
    participant: {
      type: 'object',
      description: 'The participant of the event; absent if the room was closed',
      properties: {
        identity: { type: 'string', description: 'The participant’s id in the room', example: '2882341273' },
        disconnectReason: {
          type: 'string',
          description: 'Why the participant left, as a `DisconnectReason` of LiveKit',
          example: 'CLIENT_INITIATED',
        },
      },
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
  @ApiOperation({ summary: "Receive Agora's channel events, signed with the webhook secret" })
  @ApiHeader({
    name: 'Agora-Signature-V2',
    required: false,
    description: 'HMAC-SHA256 of the body, in hex',
    example: '3c1f9d0e5a7b',
  })
  @ApiHeader({
    name: 'Agora-Signature',
    required: false,
    description: 'HMAC-SHA1 of the body, in hex; used if `Agora-Signature-V2` is absent',
    example: '6f0a2b4c8d1e',
  })
  @ApiBody({ schema: AGORA_EVENT })
  @ApiEnvelope(null, 'UNAUTHORIZED', 'MALFORMED_JSON', 'VALIDATION')
  receiveAgoraWebhook(@Req() request: FastifyRequest): Promise<void> {
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
  @ApiOperation({ summary: "Receive LiveKit's room events, signed with the API secret" })
  @ApiHeader({
    name: 'Authorization',
    required: false,
    description: 'A JWT with the SHA-256 of the body, signed with the API secret',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzaGEyNTYiOiI0N0RFUSJ9.c2lnbmF0dXJl',
  })
  @ApiBody({ schema: LIVEKIT_EVENT })
  @ApiEnvelope(null, 'UNAUTHORIZED')
  receiveLivekitWebhook(@Req() request: FastifyRequest): Promise<void> {
    return this.webhooks.receive(request);
  }
}
