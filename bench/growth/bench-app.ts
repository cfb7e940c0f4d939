import { mkdtempSync, rmSync } from 'node:fs';
import { createSecretKey } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SignJWT } from 'jose';
import { createConnection } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { withLocalSecrets } from '../../src/config/local-secrets';
import { createApp } from '../../src/create-app';
import { startMariadb } from '../../test/support/throwaway-mariadb.js';
import type { Row } from './measure';

const SECRET = 'a-secret-of-the-benchmark-with-32-bytes';

/** The service on an empty database, with helpers that send requests to it. */
export interface BenchApp {
  app: NestFastifyApplication;
  dataSource: DataSource;
  engine: string;
  databaseUrl: string;
  /** Process id of the throw-away database server; 0 for any other server and for SQLite. */
  databasePid: number;
  /** URL of the service, for measurements over a real connection. */
  url: string;
  /** Returns an access token of a user. */
  token(user: number, role?: 'user' | 'admin'): Promise<string>;
  close(): Promise<void>;
}

/** The part of the benchmark that measures one module. */
export interface BenchPart {
  name: string;
  run(bench: BenchApp): Promise<Row[]>;
}

/**
 * Uses `BENCH_DATABASE_URL`: `sqlite` or a MySQL URL (its database is emptied first). Default: a throw-away MariaDB.
 */
export async function openBench(): Promise<BenchApp> {
  const { url, drop, pid = 0 } = await emptyDatabase(process.env.BENCH_DATABASE_URL);
  const { config } = withLocalSecrets(
    loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: url,
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '0',
      MEDIA_PROVIDER: 'webrtc',
      CORS_ORIGINS: '*',
      WEBHOOK_SECRET: 'a-secret-of-the-webhooks-of-the-benchmark',
      // Address of the benchmark's webhook receivers.
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    }),
  );
  const app = await createApp(config, { pages: resolve('dist/web') });
  await app.listen(0, '127.0.0.1');
  return {
    app,
    url: await app.getUrl(),
    dataSource: app.get(DataSource),
    engine: config.database.type,
    databaseUrl: url,
    databasePid: pid,
    token: (user, role = 'user') =>
      new SignJWT({ role, sub: String(user), exp: 4_102_444_800 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(createSecretKey(Buffer.from(SECRET))),
    close: async () => {
      await app.close();
      await drop();
    },
  };
}

/** Creates an empty database: `sqlite`, the given MySQL URL, or a throw-away MariaDB (started with `options`). */
export async function emptyDatabase(
  wanted: string | undefined,
  options: string[] = [],
): Promise<{ url: string; drop: () => Promise<void>; pid?: number }> {
  if (wanted === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'));
    return {
      url: `sqlite:${join(folder, 'bench.sqlite')}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const server = wanted === undefined ? await startMariadb(options) : undefined;
  const url = wanted ?? `${server?.url}/bench`;
  const name = new URL(url).pathname.slice(1);
  const connection = await createConnection(url.replace(/^mariadb:/, 'mysql:').replace(/\/[^/]*$/, ''));
  await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  await connection.query(`CREATE DATABASE \`${name}\``);
  await connection.end();
  return { url, drop: async () => server?.stop(), pid: server?.pid };
}
