import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Content codings that the service supports, in order of preference for clients that accept both equally. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Returns the coding that the client prefers; null if it accepts neither. Names are case-insensitive. */
export const encodingFor = ({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null =>
  negotiate(headers['accept-encoding']?.toLowerCase() ?? '', [...ENCODINGS]);

/** Adds `Accept-Encoding` to `Vary`, unless it is there already, so that caches store the codings separately. */
export function varyByEncoding(reply: FastifyReply): void {
  const names = String(reply.getHeader('Vary') ?? '').split(', ');
  void reply.header('Vary', [...new Set([...names, 'Accept-Encoding'])].filter(Boolean).join(', '));
}
