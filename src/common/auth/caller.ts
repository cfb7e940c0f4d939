import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressKey } from '../server/address-key';
import type { ApiKey } from './api-keys/api-key';
import type { Principal } from './principal';

/** The authenticated caller: a user by token, an integration by API key, or both if a key acts on behalf of a user. */
export interface Caller {
  /** The user whose rights apply; undefined if a key acts for itself. */
  user?: Principal;
  apiKey?: ApiKey;
}

/** A request after the guards have run. */
export type CallerRequest = FastifyRequest & Caller;

/**
 * Returns a permanent text that identifies the actor: `user:17` for a user, also if a key acts on the user's behalf,
 * otherwise `key:7`. Undefined where a route requires neither token nor key.
 */
export function actorOfCaller({ user, apiKey }: Caller): string | undefined {
  if (user !== undefined) return `user:${user.id}`;
  return apiKey && `key:${apiKey.id}`;
}

/**
 * Returns the key for the limits of a caller, on requests per minute and on requests in flight: `key:7` for an API key,
 * also if it acts on behalf of a user, `user:17` for a user, otherwise `address:` and the address, with one key for
 * each IPv6 /64 network.
 */
export function callerKey({ apiKey, user, ip }: Caller & Pick<FastifyRequest, 'ip'>): string {
  if (apiKey !== undefined) return `key:${apiKey.id}`;
  return user === undefined ? `address:${addressKey(ip)}` : `user:${user.id}`;
}

/** `@CurrentCaller() caller: Caller`, for routes of administrators that are also open to keys. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { user, apiKey } = context.switchToHttp().getRequest<CallerRequest>();
  return { user, apiKey };
});
