import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/**
 * Returns the token of `Authorization: Bearer <token>` (RFC 6750, 2.1), and null for any other form of the header.
 * passport-jwt's extractor finds a token anywhere in the header, so that a proxy could read a different token from the
 * same header.
 */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  BEARER.exec(headers.authorization ?? '')?.[1] ?? null;
