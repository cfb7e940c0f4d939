import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Content codings that the service supports, in order of preference for clients that accept both equally. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Returns the coding that the client prefers; null if it accepts neither. Names are case-insensitive. */
export const encodingFor = ({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null =>
  negotiate(headers['accept-encoding']?.toLowerCase() ?? '', [...ENCODINGS]);

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Compresses bytes with a coding, at the level for that coding. */
export function compressAs(
  encoding: Encoding,
  bytes: Buffer,
  level: Readonly<Record<Encoding, number>>,
): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(bytes, { level: level.gzip });
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;
  return brotliAsync(bytes, { params: { [quality]: level.br, [size]: bytes.length } });
}

/** Adds `Accept-Encoding` to `Vary`, unless it is there already, so that caches store the codings separately. */
export function varyByEncoding(reply: FastifyReply): void {
  const names = String(reply.getHeader('Vary') ?? '').split(', ');
  void reply.header('Vary', [...new Set([...names, 'Accept-Encoding'])].filter(Boolean).join(', '));
}
