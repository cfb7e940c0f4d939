import { ApiError } from './api.mjs';

const CANDIDATES_AT_ONCE = 100;
const FIRST_WAIT_MS = 250;
const ATTEMPTS = 7;
/** Too many requests; the service is not available. */
const TRY_AGAIN = new Set([429, 503]);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * What one connection still has to signal. One request at a time, so that the order is kept; candidates join what
 * waits. A repetition has the same id, so it is harmless. What is closed drops the rest: it must not overtake what a
 * newer connection says.
 */
export class Outbox {
  #waiting = [];
  #isSending = false;
  #closing = new AbortController();

  /** @param onRefused gets the `ApiError` that ends it: the call is over, or another terminal's */
  constructor({ api, callId, sessionId, onRefused }) {
    this.path = `/calls/${callId}/signals`;
    Object.assign(this, { api, sessionId, onRefused });
  }

  describe({ type, sdp }) {
    this.#waiting.push({ description: { type, sdp }, candidates: [] });
    void this.#flush();
  }

  /** @param candidate of `onicecandidate`; null: there are no more */
  add(candidate) {
    const {
      candidate: text,
      sdpMid,
      sdpMLineIndex,
      usernameFragment,
    } = candidate?.toJSON() ?? { candidate: '' };
    const entry = { candidate: text, sdpMid, sdpMLineIndex, usernameFragment };
    const last = this.#waiting.at(-1);
    if (last !== undefined && last.candidates.length < CANDIDATES_AT_ONCE) last.candidates.push(entry);
    else this.#waiting.push({ candidates: [entry] });
    void this.#flush();
  }

  close() {
    this.#closing.abort();
  }

  async #flush() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (!this.#closing.signal.aborted && this.#waiting.length > 0) {
        // Taken out of the line first: what comes up while it is under way goes with the next one.
        await this.#deliver({ session_id: this.sessionId, ...this.#waiting.shift() });
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.close();
      this.onRefused(error);
    } finally {
      this.#isSending = false;
    }
  }

  #deliver(signal) {
    return deliver(() => this.api.post(this.path, signal, this.#closing.signal), signal);
  }
}

/** Sends a signal until it has arrived. @throws {ApiError} what the service refused for good */
export async function deliver(post, signal) {
  signal.signal_id = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post();
    } catch (error) {
      const isFinal = error instanceof ApiError && !TRY_AGAIN.has(error.code);
      if (isFinal || error.name === 'AbortError' || attempt === ATTEMPTS) throw error;
      await pause(FIRST_WAIT_MS * 2 ** attempt);
    }
  }
}
