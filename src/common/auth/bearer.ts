import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/**
 * The token of `Authorization: Bearer <token>` (RFC 6750, 2.1); null for any other shape of the header. passport-jwt's
 * own extractor finds a token anywhere in it, and what stands beside it might be read as another by somebody else.
 */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  BEARER.exec(headers.authorization ?? '')?.[1] ?? null;
