import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../common/auth/principal';
import { tokenExpiryOf } from '../common/auth/token-expiry';
import { Clock } from '../common/clock';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { RESYNC, toFrame } from './event';
import { EventHub } from './event-hub';
import { EventLog, type Start } from './event-log';
import { EventSources } from './event-sources';
import { EventStream } from './event-stream';
import { EventTopics } from './event-topics';

/** Opens event streams (contract 7). */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  readonly #logger = new Logger(EventStreams.name);
  #isClosing = false;

  constructor(
    private readonly log: EventLog,
    private readonly hub: EventHub,
    private readonly topics: EventTopics,
    private readonly sources: EventSources,
    private readonly clock: Clock,
  ) {}

  /** Streams end before the server closes, so that it need not wait for them. */
  beforeApplicationShutdown(): void {
    this.#isClosing = true;
    this.hub.endAll();
  }

  /**
   * Turns a request into a stream of the user's events: after `Last-Event-ID`, else after `after`, else from now on.
   * @throws {BusinessError} VALIDATION for a malformed cursor, UNAVAILABLE while the service stops
   */
  async open(
    principal: Principal,
    after: number | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const cursor = lastEventId(request) ?? after;
    const topics = await this.topics.positionsOf(principal.id);
    const start = await this.#startAfter(principal.id, cursor);
    if (this.#isClosing) throw new BusinessError('UNAVAILABLE');
    const stream = this.#begin(principal, { ...start, topics }, request, reply);
    // Now that it listens: what comes in later is told to all who do.
    if (stream === undefined) return;
    this.sources.late
      ?.catchUp([stream.userId])
      .catch((error: unknown) => this.#logger.warn(`Late events wait: ${String(error)}`));
  }

  async #startAfter(userId: number, cursor: number | undefined): Promise<Start> {
    if (cursor === undefined) return { cursor: await this.log.cursorOf(userId), missed: false };
    return this.log.startAfter(userId, cursor);
  }

  /** The stream, or undefined where a HEAD asked for its headers alone. */
  #begin(
    principal: Principal,
    { cursor, missed, topics }: Start & { topics: Map<number, number> },
    request: FastifyRequest,
    reply: FastifyReply,
  ): EventStream | undefined {
    // What plugins have set so far, such as the request's id and CORS, goes out with the stream.
    const headers = reply.getHeaders() as Record<string, string>;
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD') {
      response.end();
      return undefined;
    }
    const now = this.clock.now();
    const place = { position: cursor, topics, expiresAt: tokenExpiryOf(request), now: now.getTime() };
    const stream = new EventStream({ principal, response, ...place });
    if (missed) response.write(toFrame({ seq: cursor, type: RESYNC, payload: '{}', created_at: now }));
    response.on('drain', () => this.hub.resume(stream));
    response.on('error', () => stream.drop());
    response.on('close', () => this.hub.remove(stream));
    if (!response.destroyed) this.hub.add(stream);
    return stream;
  }
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw invalidField('Last-Event-ID', '必须是整数');
  return id;
}
