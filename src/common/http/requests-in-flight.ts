import type { FastifyReply } from 'fastify';
import { BusinessError } from '../errors/business-error';

interface Waiting {
  reply: FastifyReply;
  /** On the clock of `performance.now()`. */
  until: number;
}

/**
 * The requests that wait for their answer, the oldest first. They are counted anyway, so one look at them all now and
 * then spares each a timer of its own, as Fastify's `handlerTimeout` has.
 */
export class RequestsInFlight {
  readonly #waiting = new Set<Waiting>();

  /** @param timeoutMs how long a request may wait */
  constructor(private readonly timeoutMs: number) {}

  get count(): number {
    return this.#waiting.size;
  }

  /** The request counts until its answer is out or its client is gone. */
  add(reply: FastifyReply): void {
    const waiting = { reply, until: performance.now() + this.timeoutMs };
    this.#waiting.add(waiting);
    reply.raw.once('close', () => this.#waiting.delete(waiting));
  }

  /** Tells those that have waited too long that they wait in vain. Their work goes on, to whatever end. */
  answerOverdue(): void {
    const now = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.until > now) return;
      this.#waiting.delete(waiting);
      const { reply } = waiting;
      if (reply.sent || reply.raw.headersSent) continue;
      const cause = new Error(`No answer to ${reply.request.routeOptions.url} within ${this.timeoutMs} ms`);
      reply.send(new BusinessError('UNAVAILABLE', { cause }));
    }
  }
}
