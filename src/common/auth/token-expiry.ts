import type { FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';

/** When the token of a request that the guard has let in expires, in milliseconds since 1970. */
export function tokenExpiryOf({ headers }: FastifyRequest): number {
  const token = headers.authorization?.split(' ').at(-1) ?? '';
  return (decodeJwt(token).exp ?? 0) * 1000;
}
