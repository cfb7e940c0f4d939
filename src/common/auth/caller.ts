import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressKey } from '../server/address-key';
import type { ApiKey } from './api-keys/api-key';
import type { Principal } from './principal';

/** Who asks, as the guards learned: a user by token, a back end by key, or both where a key acts on a user's behalf. */
export interface Caller {
  /** The user whose rights count; undefined of a key that acts for itself. */
  user?: Principal;
  apiKey?: ApiKey;
}

/** A request once the guards are done with it. */
export type CallerRequest = FastifyRequest & Caller;

/**
 * Who acts, as one text that stays the same for ever: `user:17` of a user, also of one on whose behalf a key acts, else
 * `key:7`. Undefined where a route asks for neither token nor key.
 */
export function actorOf({ user, apiKey }: Caller): string | undefined {
  if (user !== undefined) return `user:${user.id}`;
  return apiKey && `key:${apiKey.id}`;
}

/**
 * Who asks, as one text: `key:7` of a key, also where it acts on behalf of a user, `user:17` of a user, else `address:` and the
 * address, where an IPv6 network of 64 bits counts as one. What a caller may have at a time or in a minute is counted by it.
 */
export function callerKey({ apiKey, user, ip }: Caller & Pick<FastifyRequest, 'ip'>): string {
  if (apiKey !== undefined) return `key:${apiKey.id}`;
  return user === undefined ? `address:${addressKey(ip)}` : `user:${user.id}`;
}

/** `@CurrentCaller() caller: Caller`, for routes of administrators that keys may use too. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { user, apiKey } = context.switchToHttp().getRequest<CallerRequest>();
  return { user, apiKey };
});
