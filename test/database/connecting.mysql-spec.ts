import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { type Certificate, makeCertificate } from '../support/certificates';
import { createTestApp } from '../support/test-app';
import { startMariadb } from '../support/throwaway-mariadb.js';

type Server = Awaited<ReturnType<typeof startMariadb>>;

/** Connects and asks which cipher the connection has; '' is none. */
async function cipherOf(url: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const dataSource = createDataSource(loadDatabaseConfig({ ...env, DATABASE_URL: url }));
  await dataSource.initialize();
  try {
    return cipherIn(await dataSource.query(ASK_FOR_CIPHER));
  } finally {
    await dataSource.destroy();
  }
}

const ASK_FOR_CIPHER = "SHOW SESSION STATUS LIKE 'Ssl_cipher'";
const cipherIn = (rows: unknown): string => (rows as { Value: string }[])[0]?.Value ?? '';
const A_CIPHER = /^TLS_|-/;

describe('TLS connections to MySQL', () => {
  let folder: string;
  let own: Certificate;
  let stranger: Certificate;
  /** Accepts only TLS, with the certificate in the files. */
  let server: Server;
  let url: string;
  const inUse = (): Certificate => ({
    key: join(folder, 'in-use.key.pem'),
    certificate: join(folder, 'in-use.pem'),
  });
  const present = ({ key, certificate }: Certificate): void => {
    copyFileSync(key, inUse().key);
    copyFileSync(certificate, inUse().certificate);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-tls-'));
    own = makeCertificate(folder, 'localhost');
    stranger = makeCertificate(folder, 'db.example');
    present(own);
    server = await startMariadb([`--ssl-key=${inUse().key}`, `--ssl-cert=${inUse().certificate}`]);
    url = server.url.replace('127.0.0.1', 'localhost');
    const plain = await createDataSource(loadDatabaseConfig({ DATABASE_URL: `${url}/mysql` })).initialize();
    await plain.query('CREATE DATABASE callboard');
    await plain.query('SET GLOBAL require_secure_transport = ON');
    await plain.destroy();
    url += '/callboard';
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are required by a server that insists on TLS', async () => {
    await expect(cipherOf(url)).rejects.toThrow('Access denied');
    expect(await cipherOf(url, { DATABASE_SSL: 'required' })).toMatch(A_CIPHER);
  });

  it('encrypt every connection of a service', async () => {
    const env = { DATABASE_SSL: 'verify', DATABASE_SSL_CA: own.certificate };
    const database = { url, drop: async () => undefined };
    const test = await createTestApp({ env, database });
    const dataSource = test.app.get(DataSource);
    expect(cipherIn(await dataSource.query(ASK_FOR_CIPHER))).toMatch(A_CIPHER);
    expect(cipherIn(await dataSource.transaction((em) => em.query(ASK_FOR_CIPHER)))).toMatch(A_CIPHER);
    expect((await test.api.get('/health/ready')).status).toBe(200);
    await test.close();
  });

  it('verify the issuer and the host name of the certificate', async () => {
    const trusting = (file: string) => ({ DATABASE_SSL: 'verify', DATABASE_SSL_CA: file });
    expect(await cipherOf(url, trusting(own.certificate))).toMatch(A_CIPHER);
    await expect(cipherOf(url, { DATABASE_SSL: 'verify' })).rejects.toThrow('self-signed certificate');
    await expect(cipherOf(url, trusting(stranger.certificate))).rejects.toThrow('self-signed certificate');

    present(stranger);
    const dataSource = createDataSource(loadDatabaseConfig({ DATABASE_URL: url, DATABASE_SSL: 'required' }));
    await dataSource.initialize();
    await dataSource.query('FLUSH SSL');
    await dataSource.destroy();
    await expect(cipherOf(url, trusting(stranger.certificate))).rejects.toThrow(
      "Hostname/IP does not match certificate's altnames",
    );
    expect(await cipherOf(url, { DATABASE_SSL: 'required' })).toMatch(A_CIPHER);
  });

  it('fail when the server has no TLS', async () => {
    const plain = await startMariadb(['--skip-ssl']);
    expect(await cipherOf(`${plain.url}/mysql`)).toBe('');
    await expect(cipherOf(`${plain.url}/mysql`, { DATABASE_SSL: 'required' })).rejects.toThrow(
      'Server does not support secure connection',
    );
    await plain.stop();
  });

  it('accept an IPv6 address', async () => {
    // An IPv4-mapped address of the same server, which also works on machines without IPv6.
    const mapped = url.replace('localhost', '[::ffff:127.0.0.1]');
    expect(await cipherOf(mapped, { DATABASE_SSL: 'required' })).toMatch(A_CIPHER);
  });
});
