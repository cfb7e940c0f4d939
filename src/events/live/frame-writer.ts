import type { ServerResponse } from 'node:http';

export const COMMENT_INTERVAL_MS = 15_000;
/** A reader that takes nothing for so long is gone, or will be better off resuming. */
export const STALL_LIMIT_MS = 60_000;
const COMMENT = ': callboard\n\n';

/** The response that a stream is: what its socket takes, and when it ends. Moments are in milliseconds. */
export class FrameWriter {
  readonly #response: ServerResponse;
  #nextComment: number;
  #stalledSince?: number;
  #isEnding = false;

  constructor(response: ServerResponse, now: number) {
    this.#response = response;
    this.#nextComment = now + COMMENT_INTERVAL_MS;
    response.write(COMMENT);
  }

  /** Whether it takes nothing any more: it has ended, or its reader has gone. */
  get isOver(): boolean {
    return this.#isEnding || this.#response.destroyed;
  }

  /** Whether its socket still holds what it was given before. */
  get isStalled(): boolean {
    return this.#stalledSince !== undefined;
  }

  /** How many bytes wait for the reader. */
  get buffered(): number {
    return this.#response.writableLength;
  }

  write(text: string, now: number): void {
    if (!this.#response.write(text)) this.#stalledSince = now;
  }

  /** The socket is empty again. */
  drained(): void {
    this.#stalledSince = undefined;
  }

  /** What time brings: a comment when it is due, the end when nobody reads any more. */
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
   * Ends it in order; the connection goes too, so that nothing holds up a server that stops. A reader that does not take
   * what is left loses it after a minute: nobody lets time pass for what has ended.
   */
  end(): void {
    if (this.isOver) return;
    this.#isEnding = true;
    if (this.isStalled) return this.drop();
    const { socket } = this.#response;
    const patience = setTimeout(() => this.drop(), STALL_LIMIT_MS).unref();
    this.#response.end(() => {
      clearTimeout(patience);
      socket?.end();
    });
  }

  /** Ends it at once. */
  drop(): void {
    this.#response.destroy();
  }
}
