import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Content codings that the service itself compresses with; the first one is sent to a client that accepts both alike. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Returns the coding that a client prefers, and null for one that accepts neither. Names are case-insensitive. */
export const encodingFor = ({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null =>
  negotiate(headers['accept-encoding']?.toLowerCase() ?? '', [...ENCODINGS]);

/** Adds `Accept-Encoding` to the `Vary` of an answer, so that caches keep its codings apart. */
export function varyByEncoding(reply: FastifyReply): void {
  void reply.header('Vary', [reply.getHeader('Vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
}
