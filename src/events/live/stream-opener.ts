import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { beginStream } from './begin-stream';
import { StreamRegistry } from './stream-registry';
import { userLog } from '../log/log-id';
import { EventLog } from '../log/event-log';
import { EventSources } from '../event-sources';
import { EventStream } from './event-stream';
import { TopicSubscriptions } from './topic-subscriptions';

/** Opens event streams (API 13.1). */
@Injectable()
export class StreamOpener implements BeforeApplicationShutdown {
  readonly #logger = new Logger(StreamOpener.name);
  #isClosing = false;

  constructor(
    private readonly events: EventLog,
    private readonly registry: StreamRegistry,
    private readonly subscriptions: TopicSubscriptions,
    private readonly sources: EventSources,
    private readonly clock: Clock,
  ) {}

  /** Ends all streams before the server closes, which would otherwise wait for them. */
  beforeApplicationShutdown(): void {
    this.#isClosing = true;
    this.registry.endAll();
  }

  /**
   * Responds to a request with a stream of the user's events. It starts after `Last-Event-ID`, otherwise after `after`,
   * otherwise after the newest cursor.
   * @throws {BusinessError} VALIDATION for a malformed cursor, UNAVAILABLE while the service stops
   */
  async open(
    principal: Principal,
    after: number | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const cursor = lastEventId(request) ?? after;
    const topics = await this.subscriptions.positionsOf(principal.id);
    const log = userLog(principal.id);
    const { cursor: position, missed } =
      cursor === undefined
        ? { cursor: await this.events.cursorOf(log), missed: false }
        : await this.events.startAfter(log, cursor);
    if (this.#isClosing) throw new BusinessError('UNAVAILABLE');
    const now = this.clock.now().getTime();
    const response = beginStream(request, reply);
    if (response === undefined) return;
    const stream = new EventStream({ principal, response, position, topics, now });
    if (missed) stream.resync(position, now);
    response.on('drain', () => this.registry.resume(stream));
    response.on('close', () => this.registry.remove(stream));
    if (!response.destroyed) this.registry.add(stream);
    // After the registration: deferred events that arrive later are written for all registered users.
    this.sources.deferred
      ?.catchUp([principal.id])
      .catch((error: unknown) =>
        this.#logger.warn(`Failed to write deferred events, retrying on the next poll: ${String(error)}`),
      );
  }
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw invalidField('Last-Event-ID', 'notAnInteger');
  return id;
}
