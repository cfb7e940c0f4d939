import type { FastifyRequest } from 'fastify';
import type { UserId } from '../../ids';
import { bearerOf } from '../bearer';
import type { Scope } from './scopes';

/** By which a key is told from a token, before anything is asked. */
export const KEY_PREFIX = 'cbk_';

/** The header that names the user on whose behalf a key acts. */
export const ON_BEHALF_OF = 'X-On-Behalf-Of';

/** A back end that asks with a key of its own (contract 13). */
export interface ApiKey {
  id: number;
  name: string;
  scopes: readonly Scope[];
  /** How many requests it may send a minute. */
  ratePerMinute: number;
  /** In milliseconds since 1970; null: it does not expire. */
  expiresAt: number | null;
}

/** Why a key is not let in: for the log and the metrics. One that was revoked is unknown. */
export type KeyRefusal = 'api key unknown' | 'api key expired';

/** The way from the text of a key to what it may do; the keys module implements it, so that `common` knows no feature. */
export abstract class KeyAdmission {
  /** The key of a text; else why it is not let in. */
  abstract find(text: string): Promise<ApiKey | KeyRefusal>;

  /** The key of a text that was let in a moment ago and still is; undefined: ask `find`. */
  abstract cached(text: string): ApiKey | undefined;

  /** Notes that a key was used just now. */
  abstract noteUse(key: ApiKey): void;

  /**
   * The user on whose behalf a key acts.
   * @param named as `X-On-Behalf-Of` has it: `17`, or `ext:` and an external id, percent-encoded
   * @throws {BusinessError} VALIDATION, USER_NOT_FOUND; FORBIDDEN for a disabled user
   */
  abstract userNamed(named: unknown): Promise<UserId>;
}

/** The text of the key that a request brings in place of a token; undefined when it brings none. */
export function keyTextOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  // Most requests bring a token, and are told so at no cost.
  if (!request.headers.authorization?.includes(KEY_PREFIX)) return undefined;
  const text = bearerOf(request);
  return text?.startsWith(KEY_PREFIX) ? text : undefined;
}
