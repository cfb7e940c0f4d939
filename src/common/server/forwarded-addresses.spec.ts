import fastify from 'fastify';
import { loadConfig } from '../../config/config';
import { readForwardedAddresses } from './forwarded-addresses';
import { serverOptions } from './server-options';

const SOCKET = '127.0.0.1';

describe('request.ip', () => {
  const ipOf = async (trusted: string, header?: string): Promise<string> => {
    const { trustProxy } = serverOptions(loadConfig({ TRUST_PROXY: trusted }));
    const server = fastify({ trustProxy });
    readForwardedAddresses(server);
    server.get('/', ({ ip }) => ip);
    const headers = header === undefined ? {} : { 'x-forwarded-for': header };
    const { body } = await server.inject({ url: '/', headers });
    await server.close();
    return body;
  };

  it.each([
    ['true', '192.0.2.1', '192.0.2.1'],
    ['true', '192.0.2.1, 192.0.2.2', '192.0.2.1'],
    ['loopback', '192.0.2.1, 192.0.2.2', '192.0.2.2'],
    ['loopback, 192.0.2.2', '192.0.2.1, 192.0.2.2', '192.0.2.1'],
    ['true', '2001:db8::7', '2001:db8::7'],
    ['true', '192.0.2.1:4711', '192.0.2.1'],
    ['true', '[2001:db8::7]:4711', '2001:db8::7'],
    ['true', '192.0.2.1,, ,', '192.0.2.1'],
    ['false', '192.0.2.1', SOCKET],
  ])('with TRUST_PROXY=%s and X-Forwarded-For: %s is %s', async (trusted, header, ip) => {
    expect(await ipOf(trusted, header)).toBe(ip);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['a name', 'unknown'],
    ['a number', '3'],
    ['of 15 KiB', 'x'.repeat(15_000)],
    ['an address with a suffix', '192.0.2.1x'],
  ])('is the address of the connection when X-Forwarded-For is %s', async (_, header) => {
    expect(await ipOf('true', header)).toBe(SOCKET);
  });

  it.each([
    ['true', 'junk, 192.0.2.2', '192.0.2.2'],
    ['true', '192.0.2.1, junk, 192.0.2.2', '192.0.2.2'],
    ['true', '192.0.2.1, junk', SOCKET],
    ['loopback, 10.0.0.0/8', 'junk, 10.0.0.5', '10.0.0.5'],
  ])(
    'with TRUST_PROXY=%s ignores the entries of %s up to the last invalid one',
    async (trusted, header, ip) => {
      expect(await ipOf(trusted, header)).toBe(ip);
    },
  );

  it('omits the IPv6 zone, also a long one', async () => {
    expect(await ipOf('true', `fe80::1%${'x'.repeat(15_000)}`)).toBe('fe80::1');
  });
});
