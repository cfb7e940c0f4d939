import type { ServerResponse } from 'node:http';

const COMMENT_INTERVAL_MS = 15_000;
/** A client that reads nothing for this long has disconnected, or is better off resuming with a new stream. */
const STALL_LIMIT_MS = 60_000;
const COMMENT = ': callboard\n\n';

/** Writes the response of a stream: backpressure, keep-alive comments and the end. Times are in milliseconds. */
export class FrameWriter {
  readonly #response: ServerResponse;
  #nextComment: number;
  #stalledSince?: number;
  #isEnding = false;

  constructor(response: ServerResponse, now: number) {
    this.#response = response;
    this.#nextComment = now + COMMENT_INTERVAL_MS;
    response.on('drain', () => (this.#stalledSince = undefined)).on('error', () => this.drop());
    response.write(COMMENT);
  }

  /** Whether the stream has ended, or the client has disconnected. */
  get isOver(): boolean {
    return this.#isEnding || this.#response.destroyed;
  }

  /** Whether the socket's buffer is full and has not drained yet. */
  get isStalled(): boolean {
    return this.#stalledSince !== undefined;
  }

  /** Whether the stream may be written to: it has not ended, and the socket's buffer is not full. */
  get canWrite(): boolean {
    return !this.isStalled && !this.isOver;
  }

  write(text: string, now: number): void {
    if (!this.#response.write(text)) this.#stalledSince = now;
  }

  /** Called once a second: sends a comment when due, drops a client that has been stalled for `STALL_LIMIT_MS`. */
  tick(now: number): void {
    if (this.isOver) return;
    if (this.#stalledSince !== undefined) {
      if (now - this.#stalledSince >= STALL_LIMIT_MS) this.drop();
    } else if (now >= this.#nextComment) {
      this.#nextComment = now + COMMENT_INTERVAL_MS;
      this.write(COMMENT, now);
    }
  }

  /**
   * Ends the response gracefully and closes the connection, so that it does not delay a shutdown. Destroys the
   * connection after `STALL_LIMIT_MS` if the client does not read the remaining bytes: `tick` ignores a stream that has
   * ended.
   */
  end(): void {
    if (this.isOver) return;
    this.#isEnding = true;
    if (this.isStalled) return this.drop();
    const { socket } = this.#response;
    const timeout = setTimeout(() => this.drop(), STALL_LIMIT_MS).unref();
    this.#response.end(() => {
      clearTimeout(timeout);
      socket?.end();
    });
  }

  /** Destroys the connection immediately. */
  drop(): void {
    this.#response.destroy();
  }
}
