import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { withoutPort } from '../../config/trusted-proxies';

const HEADER = 'x-forwarded-for';

/**
 * Reduces `X-Forwarded-For` to IP addresses before Fastify derives `request.ip` from it. Otherwise any text of up to 16
 * KiB could become a key of the rate limit, and the address in sessions, audit rows and log lines.
 */
export function readForwardedAddresses(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const header = raw.headers[HEADER];
    if (header !== undefined) raw.headers[HEADER] = lastAddresses(String(header)).join(', ');
    done();
  });
}

/**
 * Returns the entries after the last one that is not an IP address, without ports and zones. Each proxy appends to the
 * header, so that entries to the left of an invalid one were written by a client or an unknown program. Empty entries
 * are skipped.
 */
export function lastAddresses(header: string): string[] {
  const entries = header
    .split(',')
    .map(toAddress)
    .filter((address) => address !== '');
  return entries.slice(entries.lastIndexOf(undefined) + 1) as string[];
}

/** Returns the address without port and zone, '' for an empty entry, and undefined for any other text. */
function toAddress(entry: string): string | undefined {
  const address = withoutPort(entry.trim()).replace(/%.*$/s, '');
  return address === '' || isIP(address) !== 0 ? address : undefined;
}
