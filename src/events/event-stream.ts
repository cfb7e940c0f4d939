import type { ServerResponse } from 'node:http';
import { type LoggedEvent, toFrame } from './event';

export const COMMENT_INTERVAL_MS = 15_000;
/** A reader that takes nothing for so long is gone, or will be better off resuming. */
export const STALL_LIMIT_MS = 60_000;
const COMMENT = ': callboard\n\n';

interface Options {
  userId: number;
  response: ServerResponse;
  /** The cursor after which it reads. */
  position: number;
  /** When its token expires, in milliseconds since 1970. */
  expiresAt: number;
  now: number;
}

/**
 * One open event stream. It holds no events: what its socket does not take at once stays in the database and is read
 * again when the socket has drained, so a slow reader costs one socket buffer, however much it has to catch up with.
 */
export class EventStream {
  readonly userId: number;
  position: number;
  /** Whether it has all that there was at the last look, so that what comes now is news and not catching up. */
  keepsUp = false;
  readonly #response: ServerResponse;
  readonly #expiresAt: number;
  #nextComment: number;
  #stalledSince?: number;

  constructor({ userId, response, position, expiresAt, now }: Options) {
    this.userId = userId;
    this.position = position;
    this.#response = response;
    this.#expiresAt = expiresAt;
    this.#nextComment = now + COMMENT_INTERVAL_MS;
    response.write(COMMENT);
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
      if (!this.#response.write(toFrame(event))) this.#stalledSince = now;
    }
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
      if (!this.#response.write(COMMENT)) this.#stalledSince = now;
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
}
