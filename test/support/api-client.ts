import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { signToken } from './tokens';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';

export interface ApiResponse {
  status: number;
  headers: Record<string, unknown>;
  /** The parsed body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  body: any;
  text: string;
}

export interface Person {
  id: number;
  name?: string;
  role?: 'user' | 'admin';
}

/** Claims of a person's token. */
export const claimsOf = ({ id, name = `User ${id}`, role = 'user' }: Person) => ({
  sub: String(id),
  role,
  name,
});

/** Sends requests to an application as one user, or without a token. */
export class ApiClient {
  constructor(
    readonly app: NestFastifyApplication,
    readonly headers: Record<string, string> = {},
  ) {}

  /** Returns a client with this person's token. */
  async as(person: Person): Promise<ApiClient> {
    return this.withToken(await signToken(claimsOf(person)));
  }

  withToken(token: string): ApiClient {
    return new ApiClient(this.app, { ...this.headers, authorization: `Bearer ${token}` });
  }

  with(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.app, { ...this.headers, ...headers });
  }

  get = (url: string): Promise<ApiResponse> => this.send('GET', url);
  post = (url: string, body?: unknown): Promise<ApiResponse> => this.send('POST', url, body);
  put = (url: string, body?: unknown): Promise<ApiResponse> => this.send('PUT', url, body);
  delete = (url: string, body?: unknown): Promise<ApiResponse> => this.send('DELETE', url, body);

  /** Sends a body: an object as JSON, a string or bytes unchanged. */
  async send(method: Method, url: string, body?: unknown): Promise<ApiResponse> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await this.app.inject({
      method,
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers },
      payload: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
    });
    const text = response.body;
    const isJson = (response.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  }
}
