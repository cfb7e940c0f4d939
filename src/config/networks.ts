import { BlockList, isIP } from 'node:net';

/**
 * Creates a list of networks in which addresses can be looked up.
 * @param ranges addresses and networks, such as `10.0.0.0/8` and `2001:db8::/32`
 * @throws {Error} for an item that is neither
 */
export function networkList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) addRange(list, range);
  return list;
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits, ...more] = range.split('/');
  const isIPv6 = isIP(address) === 6;
  const widest = isIPv6 ? 128 : 32;
  const prefix = bits === undefined ? widest : Number(/^\d{1,3}$/.exec(bits)?.[0]);
  if (isIP(address) === 0 || more.length > 0 || !(prefix <= widest))
    throw new Error(`Not an IP address or network: ${range}`);
  list.addSubnet(address, prefix, isIPv6 ? 'ipv6' : 'ipv4');
}
