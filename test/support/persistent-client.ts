import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from './mixed-traffic';
import { signToken } from './tokens';
import { MAX_WAIT_MS } from './waiting';

const BETWEEN_TRIES_MS = 50;
const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };

/**
 * A client that retries on alternating instances until it receives a response. After a broken connection or the 503 of
 * the envelope it does not know whether its request was carried out. Any other 5xx is an error.
 */
export class PersistentClient {
  /** Number of failed attempts. */
  failures = 0;
  #tries = 0;

  /** `urls` returns the current URLs of the service. */
  constructor(private readonly urls: () => string[]) {}

  send = async (userId: number, method: string, path: string, body?: object): Promise<Reply> => {
    for (
      const giveUpAt = performance.now() + MAX_WAIT_MS;
      performance.now() < giveUpAt;
      await pause(BETWEEN_TRIES_MS)
    ) {
      const reply = await this.#try(userId, method, path, body);
      if (reply !== undefined) return reply;
      this.failures += 1;
    }
    throw new Error(`${method} ${path}: no answer within ${MAX_WAIT_MS} ms`);
  };

  async #try(userId: number, method: string, path: string, body?: object): Promise<Reply | undefined> {
    const urls = this.urls();
    const url = urls[(this.#tries += 1) % urls.length];
    const token = await signToken({ sub: String(userId), role: userId === 1 ? 'admin' : 'user' });
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    }).catch(unlessOverdue);
    const text = await response?.text().catch(unlessOverdue);
    if (response === undefined || text === undefined) return undefined;
    if (response.status !== 503) return JSON.parse(text) as Reply;
    if (text !== JSON.stringify(UNAVAILABLE)) throw new Error(`${method} ${path}: 503 ${text}`);
    return undefined;
  }
}

/** A broken connection is expected; a time-out is an error. */
function unlessOverdue(error: unknown): undefined {
  if (error instanceof Error && error.name === 'TimeoutError') throw error;
  return undefined;
}
