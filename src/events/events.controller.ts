import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { RawResponse } from '../common/http/response.decorators';
import { PollResponse, PollQuery, StreamQuery } from './dto/events.dto';
import { StreamOpener } from './live/stream-opener';
import { EventsService } from './events.service';

@ApiTags('Events')
@Controller('api/events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: StreamOpener,
  ) {}

  @Get()
  @RawResponse({ longLived: true })
  @ApiOperation({ summary: "A live stream of the user's events (Server-Sent Events)" })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The cursor after which to resume: the `id` of the last received frame; takes precedence over `after`',
    example: '0',
  })
  @ApiProduces('text/event-stream')
  @ApiResponse({
    status: 200,
    description:
      'Frames with `id`, `event` and, as JSON, `data`; the stream stays open until the token expires',
    // Schema of `data`: code generators use it as the type of the streamed events.
    content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/UserEvent' } } },
  })
  @SendsHeaders('Cache-Control')
  streamEvents(
    @CurrentUser() user: Principal,
    @Query() query: StreamQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.streams.open(user, query.after, request, reply);
  }

  @Get('poll')
  @ApiOperation({ summary: "The user's events after a cursor" })
  @ApiEnvelope(PollResponse)
  pollEvents(@CurrentUser() user: Principal, @Query() query: PollQuery): Promise<PollResponse> {
    return this.events.poll(user.id, query);
  }
}
