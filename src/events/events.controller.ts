import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { SendsHeaders } from '../openapi/answer-headers';
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
  @ApiOperation({ summary: "A live stream of one's events (Server-Sent Events)" })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The cursor after which to resume, as the `id` of the last frame had it; comes before `after`',
    example: '0',
  })
  @ApiProduces('text/event-stream')
  @ApiResponse({
    status: 200,
    description: 'Frames of `id`, `event` and, as JSON, `data`; it stays open until the token expires',
    // What `data` holds: generators take it for the type of what comes.
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
  @ApiOperation({ summary: "One's events after a cursor" })
  @ApiEnvelope(PollResponse)
  pollEvents(@CurrentUser() user: Principal, @Query() query: PollQuery): Promise<PollResponse> {
    return this.events.poll(user.id, query);
  }
}
