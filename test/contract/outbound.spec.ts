import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../support/certificates';
import { clientFor, closeClients, FakeNameResolver, post } from '../support/outbound';
import { Receiver, withStatus } from '../support/webhooks';

describe('OutboundClient', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(async () => {
    closeClients();
    await receiver.close();
  });

  describe('rejects internal addresses:', () => {
    /** A server on all addresses of this machine. */
    let server: Server;
    let port: number;
    let connections: number;
    beforeEach(async () => {
      connections = 0;
      server = createTcpServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      server.listen(0, '::');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    afterEach(async () => {
      server.close();
      await once(server, 'close');
    });

    it.each([
      'https://127.0.0.1:PORT/',
      'http://127.0.0.1:PORT/',
      'https://2130706433:PORT/',
      'https://0x7f000001:PORT/',
      'https://0x7f.0.0.1:PORT/',
      'https://0177.0.0.1:PORT/',
      'https://017700000001:PORT/',
      'https://127.1:PORT/',
      'https://127.0.1:PORT/',
      'https://127.0.0.1.:PORT/',
      'https://127.255.255.254:PORT/',
      'https://0:PORT/',
      'https://0.0.0.0:PORT/',
      'https://１２７.０.０.１:PORT/',
      'https://[::1]:PORT/',
      'https://[0:0:0:0:0:0:0:1]:PORT/',
      'https://[::]:PORT/',
      'https://[::ffff:127.0.0.1]:PORT/',
      'https://[::ffff:7f00:1]:PORT/',
      'https://[::127.0.0.1]:PORT/',
      'https://[64:ff9b::127.0.0.1]:PORT/',
      'https://[64:ff9b::7f00:1]:PORT/',
      'https://[2002:7f00:1::]:PORT/',
      'https://169.254.169.254/latest/meta-data/',
      'https://[::ffff:169.254.169.254]/',
      'https://[fd00:ec2::254]/',
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://192.168.0.1/',
      'https://100.64.0.1/',
      'https://LOCALHOST:PORT/',
    ])('%s', async (url) => {
      expect(await post(clientFor(''), url.replace('PORT', String(port)))).toBe('address_not_allowed');
      expect(connections).toBe(0);
    });

    it.each([
      ['a private address', ['127.0.0.1']],
      ['one private address of two', ['1.1.1.1', '127.0.0.1']],
      ['one private address of two, the first', ['127.0.0.1', '1.1.1.1']],
      ['a mapped one', ['::ffff:127.0.0.1']],
      ['one of IPv6', ['2606:4700::1111', '::1']],
      ['the service of metadata', ['169.254.169.254']],
      ['no address at all', []],
    ])('a name with %s', async (_, addresses) => {
      const names = new FakeNameResolver([addresses]);
      expect(await post(clientFor('', names), `https://backend.example:${port}/`)).toBe(
        'address_not_allowed',
      );
      expect([connections, names.asked]).toEqual([0, 1]);
    });

    it('a name that ends with a dot', async () => {
      const names = new FakeNameResolver([['127.0.0.1']]);
      expect(await post(clientFor('', names), `https://localhost.:${port}/`)).toBe('address_not_allowed');
      expect([connections, names.asked]).toEqual([0, 1]);
    });

    it('a name that resolves to another address the second time', async () => {
      const names = new FakeNameResolver([['127.0.0.1'], ['127.0.0.2']]);
      const client = clientFor('127.0.0.1/32', names);
      const url = `http://backend.example:${port}/`;
      // The server closes each connection, so that every request opens a new one.
      expect(await post(client, url)).toBe('ECONNRESET');
      expect([connections, names.asked]).toEqual([1, 1]);
      expect(await post(client, url)).toBe('address_not_allowed');
      expect([connections, names.asked]).toEqual([1, 2]);
    });

    it('http without an exemption, for any name', async () => {
      expect(await post(clientFor('', new FakeNameResolver([['1.1.1.1']])), 'http://backend.example/')).toBe(
        'address_not_allowed',
      );
      const names = new FakeNameResolver([['1.1.1.1']]);
      expect(await post(clientFor('10.0.0.0/8', names), 'http://backend.example/')).toBe(
        'address_not_allowed',
      );
    });

    it('a redirect', async () => {
      receiver.respond = withStatus(302, { location: `http://127.0.0.2:${port}/` });
      const reply = await post(clientFor('127.0.0.0/8'), receiver.url);
      expect(reply).toEqual({ status: 302, retryAfter: undefined, text: '' });
      expect([connections, receiver.received.length]).toEqual([0, 1]);
    });
  });

  it('reuses connections, and opens a new one when they were closed meanwhile', async () => {
    const client = clientFor('127.0.0.1/32');
    for (let index = 0; index < 9; index += 1)
      expect(await post(client, receiver.url)).toMatchObject({ status: 204 });
    expect(receiver.connections).toBeLessThan(9);
    receiver.hangUp();
    expect(await post(client, receiver.url)).toMatchObject({ status: 204 });
    expect(receiver.received).toHaveLength(10);
  });

  it('uses no proxy', async () => {
    const proxy = await Receiver.open();
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url;
    try {
      expect(await post(clientFor('127.0.0.1/32'), receiver.url)).toMatchObject({ status: 204 });
      expect([proxy.connections, receiver.received.length]).toEqual([0, 1]);
    } finally {
      for (const name of names) delete process.env[name];
      await proxy.close();
    }
  });

  it('shares the look-up of a name between concurrent requests', async () => {
    const names = new FakeNameResolver([['127.0.0.1']]);
    const client = clientFor('127.0.0.1/32', names);
    const url = `http://backend.example:${receiver.port}/`;
    const responses = await Promise.all([post(client, url), post(client, url), post(client, url)]);
    expect(responses).toMatchObject([{ status: 204 }, { status: 204 }, { status: 204 }]);
    expect(names.asked).toBe(1);
  });

  it('requires a verifiable certificate, regardless of the settings of Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-outbound-'));
    const { key, certificate } = makeCertificate(folder, 'backend.example');
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) =>
      response.end(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const { port } = server.address() as AddressInfo;
      const client = clientFor('127.0.0.1/32', new FakeNameResolver([['127.0.0.1']]));
      expect(await post(client, `https://backend.example:${port}/`)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
