import { Pool } from 'undici';
import { signToken } from '../../../test/support/tokens';

/** Sends requests of many users to a service over a few connections. */
export class Client {
  readonly #pool: Pool;
  readonly #tokens = new Map<number, string>();

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections });
  }

  /** Sends a POST and returns the `data` of the response. @throws {Error} unless it succeeded */
  async post<T>(user: number, path: string, body: object): Promise<T> {
    const token = this.#tokens.get(user) ?? (await signToken({ sub: String(user) }));
    this.#tokens.set(user, token);
    const response = await this.#pool.request({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code, message, data } = (await response.body.json()) as {
      code: number;
      message: string;
      data: T;
    };
    if (code !== 0) throw new Error(`${path}: ${code} ${message}`);
    return data;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
