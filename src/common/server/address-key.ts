import { isIPv6 } from 'node:net';
import { withoutPort } from '../../config/trusted-proxies';

const NETWORK_GROUPS = 4;

/**
 * What stands for an address when requests are counted: an IPv4 address itself, also when it is written as IPv6; of
 * an IPv6 address its /64 network, since whoever has one address of it has all 2^64.
 */
export function addressKey(told: string): string {
  // Some proxies tell the port too, which is another one for each connection.
  const address = withoutPort(told);
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
