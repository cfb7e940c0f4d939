import { type BlockList, isIP } from 'node:net';
import { networkList } from '../../config/networks';

/*
 * Public addresses (API 14.5): those outside IANA's registries of special-purpose IPv4 addresses (RFC 6890 and
 * later additions) and IPv6 addresses.
 */

const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, and reserved addresses including broadcast.
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast IPv6. Excludes the ranges that translate to IPv4 (64:ff9b::/96, ::/96). */
const GLOBAL_IPV6 = ['2000::/3'];

/** Special ranges within it: IETF protocols and Teredo, documentation, 6to4, AS112. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const specialIpv4 = networkList(SPECIAL_IPV4);
const globalIpv6 = networkList(GLOBAL_IPV6);
const specialIpv6 = networkList(SPECIAL_IPV6);

/** Whether an address, in any notation that `net.isIP` accepts, is public. IPv4-mapped IPv6 addresses count as IPv4. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 4) return !specialIpv4.check(plain, 'ipv4');
  return family === 6 && globalIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6');
}

/** Whether an address is in a list of networks. IPv4-mapped IPv6 addresses count as IPv4. */
export function isWithin(networks: BlockList, address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  return family !== 0 && networks.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Converts an IPv4-mapped address such as `::ffff:7f00:1` to IPv4; returns other addresses unchanged. */
function unmapped(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const [, high = '', low = ''] =
    /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === '') return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
