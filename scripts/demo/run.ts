import '../../src/node-version';
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { readOptions, runScript, UsageError } from '../command-line';
import { runSeeded } from '../seeded/run';
import { signAccessToken } from '../sign-access-token';
import { loadConfig } from '../../src/config/config';
import { withLocalSecrets } from '../../src/config/local-secrets';
import { createApp } from '../../src/create-app';
import { UserEntity } from '../../src/identity/entities/user.entity';
import { BackEnd } from './back-end';
import { demonstrateCalls } from './calls';
import { DemoClient } from './client';
import { demonstrateDeviceGroups } from './device-groups';
import { demonstrateNotifications } from './notifications';
import { Listener } from './listener';
import { type DemoClient as Speaker, demonstrateMessaging } from './messaging';

const RING_SECONDS = '3';
/** Users whose event streams are printed beside the requests. */
const LISTENING = new Set(['Alice', 'Bob']);

const USAGE = `Usage: callboard demo [--database <url>]
       callboard demo --seed <file> [--port <port>] [--control-port <port>]
Starts the service on a temporary database (or an empty one, with --database), sends requests as several users, and
prints every exchange.
With --seed: starts the service on a temporary database with the data of the file, for integration tests, and a server
that resets the data and moves the clock (docs/integration-tests.md). Both ports are free ones by default.`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    database: { type: 'string' },
    seed: { type: 'string' },
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
  });
  if (values.seed !== undefined) {
    const [port, controlPort] = [Number(values.port), Number(values['control-port'])];
    if (!isPort(port) || !isPort(controlPort)) throw new UsageError(USAGE);
    return runSeeded(values.seed, { port, controlPort });
  }
  const folder = mkdtempSync(join(tmpdir(), 'callboard-demo-'));
  const { config } = withLocalSecrets(
    loadConfig({
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: values.database ?? `sqlite:${join(folder, 'demo.sqlite')}`,
      DEMO_DATA: 'off',
      LOG_LEVEL: 'warn',
      CALL_RING_TIMEOUT_SECONDS: RING_SECONDS,
      RATE_LIMIT_PER_MINUTE: '0',
      CHAT_NOTICES: 'members,calls',
      // Address of the demo's webhook receiver.
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    }),
  );
  const app = await createApp(config);
  const listeners: Listener[] = [];
  const backEnd = await BackEnd.open(print);
  try {
    if ((await app.get(DataSource).getRepository(UserEntity).count()) > 0)
      throw new Error('The demo needs an empty database, but this one contains users.');
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    print(`Callboard listens on ${url} (${config.database.type}).`);

    const ids = { alice: 1, bob: 2, carol: 3 };
    const person = async (name: string, id: number, role: 'user' | 'admin' = 'user'): Promise<DemoClient> => {
      const token = await signAccessToken(config, { id, name, role });
      const client = new DemoClient(name, url, token, print);
      // The first request of a user creates the account.
      await client.peek('/api/calls/active');
      if (LISTENING.has(name)) listeners.push(await Listener.open(`${name}’s tablet`, url, token, print));
      return client;
    };
    const people = {
      alice: await person('Alice', ids.alice),
      bob: await person('Bob', ids.bob),
      carol: await person('Carol', ids.carol),
    };
    const admin = await person('Admin', 4, 'admin');
    chapter('A webhook for calls that end');
    await backEnd.subscribe(admin, ['call.ended']);
    await demonstrateCalls(people, ids, chapter);
    if (!(await backEnd.hears('call.ended'))) print('  The integration did not receive call.ended.');
    chapter('A group conversation, from two of its members’ screens');
    await demonstrateMessaging(
      [speaker(people.alice, ids.alice), speaker(people.bob, ids.bob), speaker(people.carol, ids.carol)],
      print,
    );
    await demonstrateNotifications({ ...people, admin }, chapter);
    await demonstrateDeviceGroups(admin, chapter);
    print(values.database === undefined ? '\nDone. The temporary database is deleted.' : '\nDone.');
  } finally {
    for (const listener of listeners) listener.close();
    backEnd.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A user whose requests are not printed one by one. */
const speaker = (client: DemoClient, id: number): Speaker => ({
  id,
  get: (path) => client.peek(path),
  post: (path, body) => client.peek(path, 'POST', body),
  put: (path, body) => client.peek(path, 'PUT', body),
  delete: (path) => client.peek(path, 'DELETE'),
});

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const chapter = (title: string): void =>
  print(`\n\n━━ ${title} ${'━'.repeat(Math.max(0, 76 - title.length))}`);

runScript(main);
