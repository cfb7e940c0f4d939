import type { FastifyRequest } from 'fastify';
import type { UserId } from '../../ids';
import { bearerOf } from '../bearer';
import type { Scope } from './scopes';

/** Prefix that distinguishes an API key from a token without a lookup. */
export const KEY_PREFIX = 'cbk_';

/** Name of the header with the user on whose behalf a key acts. */
export const ON_BEHALF_OF = 'X-On-Behalf-Of';

/** An integration that authenticates with an API key (API 4.1). */
export interface ApiKey {
  id: number;
  name: string;
  scopes: readonly Scope[];
  /** Maximum number of requests per minute. */
  ratePerMinute: number;
  /** Milliseconds since 1970; null: the key does not expire. */
  expiresAt: number | null;
}

/** Why a key is rejected, for the log and the metrics. A revoked key is unknown. */
export type KeyRefusal = 'api key unknown' | 'api key expired';

/** Authenticates API keys. Implemented by the `keys` module, so that `common` does not depend on a feature module. */
export abstract class ApiKeyAuthenticator {
  /** Returns the key with this text, or the reason for which it is rejected. */
  abstract find(text: string): Promise<ApiKey | KeyRefusal>;

  /** Returns the key from the cache if it was accepted recently and is still valid; undefined: call `find`. */
  abstract cached(text: string): ApiKey | undefined;

  /** Records that the key was used at the current time. */
  abstract noteUse(key: ApiKey): void;

  /**
   * Returns the user on whose behalf a key acts.
   * @param named the value of `X-On-Behalf-Of`: `17`, or `ext:` and a percent-encoded external id
   * @throws {BusinessError} VALIDATION, USER_NOT_FOUND; FORBIDDEN for a disabled user
   */
  abstract userNamed(named: unknown): Promise<UserId>;
}

/** Returns the text of the API key that a request has in place of a token; undefined if it has none. */
export function keyTextOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  // Most requests have a token; the check for the prefix spares them the regular expression.
  if (!request.headers.authorization?.includes(KEY_PREFIX)) return undefined;
  const text = bearerOf(request);
  return text?.startsWith(KEY_PREFIX) ? text : undefined;
}
