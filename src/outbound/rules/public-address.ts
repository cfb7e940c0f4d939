import { BlockList, isIP } from 'node:net';

/*
 * Which addresses are public (contract 12.2): outside the registries of special-purpose addresses that IANA keeps, of IPv4
 * (RFC 6890 and what came after) and of IPv6.
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
  // Groups of hosts, and what is reserved, with the broadcast address.
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** All of IPv6 that is given out to hosts. What translates to IPv4 (64:ff9b::/96, ::/96) lies outside. */
const GLOBAL_IPV6 = ['2000::/3'];

/** Within that: IETF protocols and Teredo, documentation, 6to4, AS112. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');

function listOf(ranges: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address, in any spelling that `net.isIP` knows, is public; one of IPv4 mapped into IPv6 counts as that. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 4) return !specialIpv4.check(plain, 'ipv4');
  return family === 6 && globalIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6');
}

/** Whether an address is in a list of networks, which names addresses of IPv4 as such. */
export function isWithin(networks: BlockList, address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  return family !== 0 && networks.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** `::ffff:7f00:1` as 127.0.0.1; any other address as it is. */
function unmapped(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const [, high = '', low = ''] =
    /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === '') return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
