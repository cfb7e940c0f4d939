import { CallboardError } from './errors';

/* The calls that the pages make, over the interface that every client has (docs/interface.md). */

export interface User {
  id: number;
  account: string | null;
  name: string;
  avatar: string | null;
  role: 'user' | 'admin';
}

/** What log-in and refresh answer; the refresh token is in the cookie, out of reach. */
export interface Tokens {
  access_token: string;
  /** In seconds. */
  expires_in: number;
  user: User;
}

export interface ClientConfig {
  version: string;
  /** Accounts to look around with. */
  demo: { accounts: string[]; password: string } | null;
}

interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/**
 * One exchange with the service; answers the envelope's `data`.
 * @throws {CallboardError} what the service refuses; code 0 when there is no answer, or none of the service's
 */
async function send<T>(path: string, request?: RequestInit): Promise<T> {
  let response: Response;
  let envelope: Envelope;
  try {
    response = await fetch(path, request);
    envelope = (await response.json()) as Envelope;
  } catch (error) {
    throw new CallboardError(String(error), { code: 0 });
  }
  // The code, not the status: a service may send all with HTTP 200.
  if (envelope.code === 0) return envelope.data as T;
  throw new CallboardError(envelope.message, {
    code: envelope.code,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number(response.headers.get('Retry-After')) || undefined,
  });
}

const post = <T>(path: string, body?: object): Promise<T> =>
  send(path, {
    method: 'POST',
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });

export const getClientConfig = (): Promise<ClientConfig> => send('/api/client-config');

export const logIn = (account: string, password: string): Promise<Tokens> =>
  post('/api/auth/login', { account, password, cookie: true });

export const refresh = (): Promise<Tokens> => post('/api/auth/refresh');

export const logOut = (): Promise<null> => post('/api/auth/logout');
