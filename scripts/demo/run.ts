import '../../src/node-version';
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { readOptions, runScript } from '../command-line';
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
/** Whose event streams are shown beside the requests. */
const LISTENING = new Set(['Alice', 'Bob']);

const USAGE = `Usage: npm run demo [-- --database <url>]
Starts the service on a temporary database, or on the empty one that is named, lets people use it over HTTP, and prints every
exchange.`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, { database: { type: 'string' } });
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
      // Where the demonstration's own back end listens.
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    }),
  );
  const app = await createApp(config);
  const listeners: Listener[] = [];
  const backEnd = await BackEnd.open(print);
  try {
    if ((await app.get(DataSource).getRepository(UserEntity).count()) > 0)
      throw new Error('The demo needs an empty database, and this one has users: name another one.');
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    print(`Callboard listens on ${url} (${config.database.type}).`);

    const ids = { alice: 1, bob: 2, carol: 3 };
    const person = async (name: string, id: number, role: 'user' | 'admin' = 'user'): Promise<DemoClient> => {
      const token = await signAccessToken(config, { id, name, role });
      const client = new DemoClient(name, url, token, print);
      // The service meets its users with their first request.
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
    chapter('A back end wants to hear of calls that end');
    await backEnd.subscribe(admin, ['call.ended']);
    await demonstrateCalls(people, ids, chapter);
    if (!(await backEnd.hears('call.ended'))) print('  The back end has not heard of a call’s end.');
    chapter('A group conversation, from two of its members’ screens');
    await demonstrateMessaging(
      [speaker(people.alice, ids.alice), speaker(people.bob, ids.bob), speaker(people.carol, ids.carol)],
      print,
    );
    await demonstrateNotifications({ ...people, admin }, chapter);
    await demonstrateDeviceGroups(admin, chapter);
    print(values.database === undefined ? '\nThat was all. The database is gone.' : '\nThat was all.');
  } finally {
    for (const listener of listeners) listener.close();
    backEnd.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A person whose requests are not shown one by one. */
const speaker = (client: DemoClient, id: number): Speaker => ({
  id,
  get: (path) => client.peek(path),
  post: (path, body) => client.peek(path, 'POST', body),
  put: (path, body) => client.peek(path, 'PUT', body),
  delete: (path) => client.peek(path, 'DELETE'),
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const chapter = (title: string): void =>
  print(`\n\n━━ ${title} ${'━'.repeat(Math.max(0, 76 - title.length))}`);

runScript(main);
