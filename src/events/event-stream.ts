import type { ServerResponse } from 'node:http';
import type { Principal } from '../common/auth/principal';
import { type LoggedEvent, toFrame } from './event';
import type { Tell } from './event-sources';

export const COMMENT_INTERVAL_MS = 15_000;
/** A reader that takes nothing for so long is gone, or will be better off resuming. */
export const STALL_LIMIT_MS = 60_000;
const COMMENT = ': callboard\n\n';

interface Options {
  /** Who listens, as the token said. */
  principal: Principal;
  response: ServerResponse;
  /** The cursor after which it reads. */
  position: number;
  /** The same in the topics that its user follows. */
  topics: Map<number, number>;
  /** When its token expires, in milliseconds since 1970. */
  expiresAt: number;
  now: number;
}

/**
 * One open event stream. It holds no events: what its socket does not take at once stays in the database and is read
 * again when the socket has drained, so a slow reader costs one socket buffer, however much it has to catch up with.
 */
export class EventStream {
  readonly principal: Principal;
  position: number;
  /** Whether it has all that there was at the last look, so that what comes now is news and not catching up. */
  keepsUp = false;
  readonly topics: Map<number, number>;
  /** The position at which a topic has last waited for it to read on. */
  waitedAt?: number;
  /** Nobody reads it any more. */
  isOver = false;
  readonly #response: ServerResponse;
  readonly #expiresAt: number;
  #nextComment: number;
  #stalledSince?: number;

  constructor({ principal, response, position, topics, expiresAt, now }: Options) {
    this.principal = principal;
    this.position = position;
    this.topics = topics;
    this.#response = response;
    this.#expiresAt = expiresAt;
    this.#nextComment = now + COMMENT_INTERVAL_MS;
    response.write(COMMENT);
  }

  get userId(): number {
    return this.principal.id;
  }

  /** Whether its socket still holds what it was given before. */
  get isStalled(): boolean {
    return this.#stalledSince !== undefined;
  }

  /** How many bytes wait for the reader. */
  get buffered(): number {
    return this.#response.writableLength;
  }

  /** Writes events until the socket has enough; the position says how far it came. */
  send(events: LoggedEvent[], now: number): void {
    for (const event of events) {
      if (this.isStalled) return;
      if (event.seq <= this.position) continue;
      this.position = event.seq;
      this.#write(toFrame(event), now);
    }
  }

  /**
   * The same with events of a topic, as its user is told of them.
   * @returns false when the user does not follow the topic
   */
  tell(topic: number, events: LoggedEvent[], tell: Tell, now: number): boolean {
    for (const event of events) {
      if (this.isStalled) return true;
      if (event.seq <= (this.topics.get(topic) ?? 0)) continue;
      const told = tell(this.userId, event);
      if (told === undefined) return false;
      this.topics.set(topic, event.seq);
      const { created_at } = event;
      const frames = told.map(({ type, payload }) =>
        toFrame({ type, payload: JSON.stringify(payload), created_at }),
      );
      if (frames.length > 0) this.#write(frames.join(''), now);
    }
    return true;
  }

  /** The socket is empty again. */
  drained(): void {
    this.#stalledSince = undefined;
  }

  /** What time brings: a comment when it is due, the end when the token has expired or nobody reads any more. */
  tick(now: number): void {
    if (now >= this.#expiresAt) this.end();
    else if (this.#stalledSince !== undefined && now - this.#stalledSince >= STALL_LIMIT_MS) this.drop();
    else if (now >= this.#nextComment && !this.isStalled) {
      this.#nextComment = now + COMMENT_INTERVAL_MS;
      this.#write(COMMENT, now);
    }
  }

  /** Ends it in order; the connection goes too, so that nothing holds up a server that stops. */
  end(): void {
    const { socket } = this.#response;
    if (this.isStalled) this.drop();
    else this.#response.end(() => socket?.end());
  }

  /** Ends it at once. */
  drop(): void {
    this.#response.destroy();
  }

  #write(text: string, now: number): void {
    if (!this.#response.write(text)) this.#stalledSince = now;
  }
}
