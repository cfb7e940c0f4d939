import { ApiError } from './api.mjs';

/** Maximum number of candidates in one signal. */
const MAX_CANDIDATES = 100;
const BASE_DELAY_MS = 250;
const MAX_ATTEMPTS = 7;
/** Codes that are retried: too many requests, service unavailable. */
const RETRYABLE = new Set([429, 503]);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Queue of the signals of one connection. Sends one request at a time to preserve the order, and merges candidates into a
 * queued signal. A closed outbox discards its unsent signals: a late offer would replace a newer connection.
 */
export class Outbox {
  #queue = [];
  #isSending = false;
  #abortController = new AbortController();

  /**
   * @param onFailed receives the error that stops the outbox: an `ApiError` if the call has ended or belongs to another
   *   terminal, otherwise the error of the last attempt
   */
  constructor({ api, callId, sessionId, onFailed }) {
    this.path = `/calls/${callId}/signals`;
    Object.assign(this, { api, sessionId, onFailed });
  }

  addDescription({ type, sdp }) {
    this.#queue.push({ description: { type, sdp }, candidates: [] });
    void this.#flush();
  }

  /** @param candidate from `onicecandidate`; null: the end of candidates */
  addCandidate(candidate) {
    const {
      candidate: text,
      sdpMid,
      sdpMLineIndex,
      usernameFragment,
    } = candidate?.toJSON() ?? { candidate: '' };
    const entry = { candidate: text, sdpMid, sdpMLineIndex, usernameFragment };
    const last = this.#queue.at(-1);
    if (last !== undefined && last.candidates.length < MAX_CANDIDATES) last.candidates.push(entry);
    else this.#queue.push({ candidates: [entry] });
    void this.#flush();
  }

  close() {
    this.#abortController.abort();
  }

  async #flush() {
    if (this.#isSending) return;
    this.#isSending = true;
    const { signal: abortSignal } = this.#abortController;
    try {
      while (!abortSignal.aborted && this.#queue.length > 0) {
        // Dequeued before the request, because a retry must not change: new candidates go into the next signal.
        const signal = { session_id: this.sessionId, ...this.#queue.shift() };
        await sendSignal(this.api, this.path, signal, abortSignal);
      }
    } catch (error) {
      if (abortSignal.aborted) return;
      this.close();
      this.onFailed(error);
    } finally {
      this.#isSending = false;
    }
  }
}

/**
 * Sends a signal, with retries. All attempts have the same `signal_id`, so the service applies it once.
 * @throws {ApiError} if the service rejects it permanently
 */
export async function sendSignal(api, path, content, abortSignal) {
  const signal = { ...content, signal_id: crypto.randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.post(path, signal, abortSignal);
    } catch (error) {
      const isPermanent = error instanceof ApiError && !RETRYABLE.has(error.code);
      if (isPermanent || error.name === 'AbortError' || attempt === MAX_ATTEMPTS) throw error;
      await pause(BASE_DELAY_MS * 2 ** attempt);
    }
  }
}
