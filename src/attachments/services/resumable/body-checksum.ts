import type { IncomingHttpHeaders } from 'node:http';
import { BusinessError } from '../../../common/errors/business-error';

/** Algorithms of `Upload-Checksum`. SHA-1 is required by the protocol. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256'] as const;

const CHECKSUM = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/;

/** A checksum of the body of a request. */
export interface BodyChecksum {
  algorithm: string;
  /** Base64. */
  digest: string;
}

/**
 * Reads the header `Upload-Checksum`.
 * @throws {BusinessError} BAD_REQUEST: malformed, or another algorithm
 */
export function checksumOf(headers: IncomingHttpHeaders): BodyChecksum | undefined {
  const header = headers['upload-checksum'];
  if (header === undefined) return undefined;
  const [, name = '', digest = ''] = CHECKSUM.exec(String(header)) ?? [];
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name);
  if (algorithm === undefined) throw new BusinessError('BAD_REQUEST');
  return { algorithm, digest };
}
