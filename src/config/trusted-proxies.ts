import { isIP } from 'node:net';
import { networkList } from './networks';

/** Named ranges in `TRUST_PROXY`. */
const NAMED_RANGES: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Returns true if an address, of a connection or from a proxy's header, belongs to a trusted proxy. */
export type TrustsProxy = (address: string) => boolean;

/**
 * Creates the check for proxies whose `X-Forwarded-For` is trusted.
 * @param trusted true: all addresses; false: none; otherwise addresses, networks (`10.0.0.0/8`) and named ranges,
 *   separated by commas
 * @throws {Error} for an item that is none of these
 */
export function trustedProxies(trusted: boolean | string): TrustsProxy {
  if (typeof trusted === 'boolean') return () => trusted;
  const items = trusted.split(',').map((text) => text.trim());
  const list = networkList(items.flatMap((item) => NAMED_RANGES[item] ?? [item]));
  return (address) => {
    const text = withoutPort(address);
    const family = isIP(text);
    return family !== 0 && list.check(text, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Returns an address without the port that some proxies append: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
export function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
}

/** Returns warnings about `TRUST_PROXY` for the log at the start. */
export const proxyWarnings = (trusted: boolean | string): string[] =>
  trusted === true
    ? [
        'TRUST_PROXY=true trusts every X-Forwarded-For: a client that connects directly can choose the address ' +
          'that is used for limits. Set it to the addresses of the proxies',
      ]
    : [];
