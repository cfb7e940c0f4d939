import { isIP } from 'node:net';
import { withoutPort } from '../../config/trusted-proxies';

const NETWORK_GROUPS = 4;
/** The key of a text that is no address, and of a connection that is closed already and has none. */
const UNKNOWN = 'unknown';

/**
 * Returns the key by which requests of an address are counted: an IPv4 address itself, also when it is written as IPv6;
 * the /64 network of an IPv6 address, since its owner has all 2^64 addresses of it. At most 45 characters.
 */
export function addressKey(given: string | undefined): string {
  // Some proxies add the port, which differs for each connection.
  const address = withoutPort(given ?? '').replace(/%.*$/s, '');
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
