import { isIP } from 'node:net';
import { withoutPort } from '../../config/trusted-proxies';

const NETWORK_GROUPS = 4;
/** Key of a text that is not an address, and of a closed connection, which has no address. */
const UNKNOWN = 'unknown';

/**
 * Returns the key for limits by address: an IPv4 address itself, also in IPv4-mapped IPv6 form; for an IPv6 address its
 * /64 network, because one user usually has all 2^64 addresses of it. At most 45 characters.
 */
export function addressKey(text: string | undefined): string {
  // Some proxies append the port, which differs for each connection.
  const address = withoutPort(text ?? '').replace(/%.*$/s, '');
  const family = isIP(address);
  if (family !== 6) return family === 4 ? address : UNKNOWN;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
