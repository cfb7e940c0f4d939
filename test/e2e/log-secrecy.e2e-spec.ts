import { readFileSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { createTestDatabase, onMysql } from '../support/database';
import { eventually, ServiceProcess } from '../support/service-process';
import { signToken } from '../support/tokens';
import { freePort, startMariadb } from '../support/throwaway-mariadb.js';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';
import { PASSWORDS, SECRETS, SecretProbe } from '../support/secret-probe';

const DATABASE_PASSWORD = 'password-of-the-database';
const REDIS_PASSWORD = 'password-of-redis';
const PROVIDER_KEY = 'key-in-the-address-of-the-provider';

interface ControlledDatabase {
  url: string;
  drop: () => Promise<void>;
  /** Makes all requests that use the database fail, if that is possible from outside. */
  block: () => Promise<void>;
}

/** Creates a database, on MySQL with a password. */
async function createControlledDatabase(): Promise<ControlledDatabase> {
  if (!onMysql()) return { ...(await createTestDatabase()), block: async () => undefined };
  const server = await startMariadb();
  const root = await createConnection(server.url.replace('mariadb:', 'mysql:'));
  await root.query('CREATE DATABASE secret');
  await root.query(`CREATE USER callboard@'%' IDENTIFIED BY '${DATABASE_PASSWORD}'`);
  await root.query("GRANT ALL ON secret.* TO callboard@'%'");
  await root.end();
  const url = `${server.url.replace('root@', `callboard:${DATABASE_PASSWORD}@`)}/secret`;
  return { url, drop: server.stop, block: server.stop };
}

/** Breaks the service from inside: requests that use a dropped table return 500. */
async function dropTables(url: string, tables: string[]): Promise<void> {
  const dataSource = await createDataSource(loadConfig({ DATABASE_URL: url }).database).initialize();
  for (const table of tables) await dataSource.query(`DROP TABLE ${table}`);
  await dataSource.destroy();
}

/** Returns the output of starts that fail because of an invalid secret. */
async function failedStarts(): Promise<string[]> {
  const closed = await freePort();
  const environments: NodeJS.ProcessEnv[] = [
    { DATABASE_URL: `mysql://callboard:${DATABASE_PASSWORD}@127.0.0.1:${closed}/secret` },
    { DATABASE_URL: `mysql://callboard:${DATABASE_PASSWORD}@/secret` },
    { DATABASE_URL: `postgres://callboard:${DATABASE_PASSWORD}@db/secret` },
    { REDIS_URL: `http://:${REDIS_PASSWORD}@cache` },
    { JWT_SECRET: PASSWORDS[0], NODE_ENV: 'production' },
    { JWT_PUBLIC_KEY: SECRETS.JWT_SECRET },
    { JWT_JWKS_URL: `https://callboard:${PROVIDER_KEY}@provider.example/keys` },
    { AGORA_APP_CERTIFICATE: SECRETS.AGORA_WEBHOOK_SECRET },
    {
      NODE_ENV: 'production',
      MEDIA_PROVIDER: 'webrtc',
      TURN_URLS: `turn:callboard:${PROVIDER_KEY}@turn.example`,
      TURN_SECRET: PASSWORDS[0],
    },
  ];
  const lines: string[] = [];
  for (const env of environments) {
    const failure = await ServiceProcess.start('sqlite::memory:', { ...env, LOG_LEVEL: 'trace' }).then(
      async (started) => {
        await started.kill();
        return `started with ${Object.keys(env).join()}`;
      },
      (error: Error) => error.message,
    );
    expect(failure).toMatch(/^The service did not start/);
    lines.push(...failure.split('\n'));
  }
  return lines;
}

describe('The log at level trace', () => {
  const lines: string[] = [];
  let tour: SecretProbe;
  let database: ControlledDatabase;
  let service: ServiceProcess;
  let redis: ThrowawayRedis | undefined;

  beforeAll(async () => {
    database = await createControlledDatabase();
    redis = redisIsAvailable() ? await ThrowawayRedis.start() : undefined;
    service = await ServiceProcess.start(database.url, {
      ...SECRETS,
      LOG_LEVEL: 'trace',
      JWT_JWKS_URL: `http://127.0.0.1:${await freePort()}/keys?key=${PROVIDER_KEY}`,
      ...(redis && { REDIS_URL: `redis://:${REDIS_PASSWORD}@127.0.0.1:${redis.port}` }),
    });
    tour = new SecretProbe(service.url);
    for (const secret of [DATABASE_PASSWORD, REDIS_PASSWORD, PROVIDER_KEY]) tour.secrets.add(secret);
    const admin = await signToken({ sub: '900001', role: 'admin' }, SECRETS.JWT_SECRET);
    await tour.accounts(admin);
    await tour.tokens();
    await tour.traffic(admin);
    const key = await tour.keys(admin);
    await dropTables(database.url, ['refresh_tokens', 'call_counts', 'messages', 'api_keys']);
    await tour.missingTables(admin);
    await tour.send('GET', '/api/admin/users', { token: key });
    await redis?.stop();
    await database.block();
    await tour.send('GET', '/api/calls', { token: admin });
    await tour.login('bob', PASSWORDS[0]);
    await eventually(
      async () => service.lines.filter((line) => line.includes('request failed')).length,
      (count) => count >= 5,
    );
    await service.kill();
    lines.push(...service.lines, ...(await failedStarts()));
  });
  afterAll(async () => {
    await service?.kill();
    await redis?.stop();
    await database?.drop();
  });

  it('is produced by requests with many secrets', () => {
    expect([...tour.statuses].toSorted((a, b) => a - b)).toEqual([
      200, 400, 401, 403, 404, 422, 429, 500, 503,
    ]);
    expect(tour.secrets.size).toBeGreaterThan(30);
    expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(40);
    expect(lines.filter((line) => line.includes('request failed')).length).toBeGreaterThan(2);
  });

  it('contains no password, token, key, or content of users', () => {
    const text = lines.join('\n');
    const parts = [...tour.secrets].flatMap((secret) => [
      secret,
      ...secret.split('.').filter((part) => part.length > 40),
    ]);
    expect(parts.filter((part) => text.includes(part))).toEqual([]);
  });

  it('consists of fields documented in docs/operations.md', () => {
    const documented = new Set(
      Array.from(readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `(\w+)`/gm), ([, name]) => name),
    );
    const fields = new Set(
      service.lines
        .filter((line) => line.startsWith('{'))
        .flatMap((line) => Object.keys(JSON.parse(line) as object)),
    );
    expect([...fields].filter((field) => !documented.has(field))).toEqual([]);
  });
});
