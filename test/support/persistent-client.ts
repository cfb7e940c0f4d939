import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from './mixed-traffic';
import { signToken } from './tokens';
import { MAX_WAIT_MS } from './waiting';

const RETRY_DELAY_MS = 50;
const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };

/**
 * A client that retries on alternating instances until it receives a response. After a broken connection or the 503 of
 * the envelope it does not know whether its request was carried out. Any other 5xx is an error.
 */
export class PersistentClient {
  /** Number of failed attempts. */
  failures = 0;
  #attempts = 0;

  /** `urls` returns the current URLs of the service. */
  constructor(private readonly urls: () => string[]) {}

  send = async (userId: number, method: string, path: string, body?: object): Promise<Reply> => {
    for (
      const giveUpAt = performance.now() + MAX_WAIT_MS;
      performance.now() < giveUpAt;
      await pause(RETRY_DELAY_MS)
    ) {
      const reply = await this.#attempt(userId, method, path, body);
      if (reply !== undefined) return reply;
      this.failures += 1;
    }
    throw new Error(`${method} ${path}: no answer within ${MAX_WAIT_MS} ms`);
  };

  async #attempt(userId: number, method: string, path: string, body?: object): Promise<Reply | undefined> {
    const urls = this.urls();
    const url = urls[(this.#attempts += 1) % urls.length];
    const token = await signToken({ sub: String(userId), role: userId === 1 ? 'admin' : 'user' });
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    }).catch(rethrowOverdue);
    const text = await response?.text().catch(rethrowOverdue);
    if (response === undefined || text === undefined) return undefined;
    if (response.status !== 503) return JSON.parse(text) as Reply;
    if (text !== JSON.stringify(UNAVAILABLE)) throw new Error(`${method} ${path}: 503 ${text}`);
    return undefined;
  }
}

/** A broken connection is expected; a time-out is an error. */
function rethrowOverdue(error: unknown): undefined {
  if (error instanceof Error && error.name === 'TimeoutError') throw error;
  return undefined;
}
