import { proxyWarnings, trustedProxies, withoutPort } from './trusted-proxies';

describe('trustedProxies', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.0/8, fd00::/8', 'fd00::7', true],
    ['10.0.0.0/8, fd00::/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '10.1.2.3:4711', true],
    ['10.0.0.0/8', 'unknown', false],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['loopback', '127.0.0.1', true],
    ['loopback', '::1', true],
    ['linklocal', 'fe80::1', true],
    ['uniquelocal', '172.16.0.1', true],
    ['uniquelocal', '172.32.0.1', false],
  ])('matches for %s the address %s: %s', (text, address, isOne) => {
    expect(trustedProxies(text)(address)).toBe(isOne);
  });

  it('matches every address for true and none for false', () => {
    expect([trustedProxies(true)('203.0.113.7'), trustedProxies(false)('127.0.0.1')]).toEqual([true, false]);
  });

  it.each(['', ',', 'banana', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x', '10.0.0.0/'])(
    'rejects %j',
    (text) => expect(() => trustedProxies(text)).toThrow('Not an IP address or network'),
  );
});

describe('withoutPort', () => {
  it.each([
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::4711', '2001:db8::4711'],
    ['unknown', 'unknown'],
  ])('maps %s to %s', (address, text) => expect(withoutPort(address)).toBe(text));
});

describe('proxyWarnings', () => {
  it('warns only about true', () => {
    expect(proxyWarnings(true)).toEqual([expect.stringMatching(/^TRUST_PROXY=true trusts/)]);
    expect([proxyWarnings(false), proxyWarnings('10.0.0.1')]).toEqual([[], []]);
  });
});
