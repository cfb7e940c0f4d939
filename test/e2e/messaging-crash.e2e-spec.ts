import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { Chatter, type Message } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { FakeClock } from '../support/fake-clock';
import { testEnvironment } from '../support/environment';
import { createTestApp, type TestApp } from '../support/test-app';
import { freePort } from '../support/throwaway-mariadb.js';
import { signToken } from '../support/tokens';

const SENDERS = [1, 2, 3, 4, 5, 6, 7, 8];
const ENOUGH = 150;

/** The real service in a process of its own, as it was built. */
async function startService(database: TestDatabase): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const env = {
    ...testEnvironment(database.url),
    PORT: String(port),
    HOST: '127.0.0.1',
    PATH: process.env.PATH,
  };
  const service = spawn(process.execPath, ['dist/src/main.js'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health/live`).catch(() => undefined))?.ok) {
    if (service.exitCode !== null) throw new Error('the service did not start; was it built?');
    await pause(50);
  }
  return { url, process: service };
}

describe('A service that is killed', () => {
  let database: TestDatabase;
  let service: { url: string; process: ChildProcess };
  let test: TestApp | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startService(database);
  });
  afterAll(async () => {
    service?.process.kill('SIGKILL');
    await test?.close();
    await database?.drop();
  });

  it('keeps every message that it acknowledged, once, and its counters', async () => {
    const tokens = await Promise.all(SENDERS.map((id) => signToken({ sub: String(id), name: `User ${id}` })));
    const call = async <T>(token: string, path: string, body?: object): Promise<T> => {
      const response = await fetch(`${service.url}/api/messages/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      const { code, message, data } = (await response.json()) as { code: number; message: string; data: T };
      if (code !== 0) throw new Error(`${code} ${message}`);
      return data;
    };
    for (const token of tokens) await call(token, 'unread-count');
    const [first = ''] = tokens;
    const beginning = { type: 'group', name: 'Group', member_ids: SENDERS };
    const { id: group } = await call<{ id: number }>(first, 'conversations', beginning);

    const acknowledged = new Map<string, number>();
    const attempted = new Map<string, number>();
    const burst = SENDERS.map(async (sender, index) => {
      for (let count = 0; ; count += 1) {
        const client_msg_id = `${sender}-${count}`;
        attempted.set(client_msg_id, sender);
        const message = { type: 'text', content: client_msg_id, client_msg_id };
        const sent = await call<Message>(
          tokens[index] ?? '',
          `conversations/${group}/messages`,
          message,
        ).catch(() => undefined);
        if (sent === undefined) return;
        acknowledged.set(client_msg_id, sent.id);
        if (acknowledged.size === ENOUGH) service.process.kill('SIGKILL');
        if (count % 5 === 4)
          await call(tokens[index] ?? '', `conversations/${group}/messages`).catch(() => undefined);
      }
    });
    // Each sender stops at the first call that fails, which is when the process is gone.
    await Promise.all(burst);
    if (service.process.signalCode === null) await once(service.process, 'exit');
    expect(service.process.signalCode).toBe('SIGKILL');
    expect(acknowledged.size).toBeGreaterThanOrEqual(ENOUGH);

    test = await createTestApp({ database, clock: new FakeClock('2099-01-01T00:00:00.000Z') });
    await expectSoundMessaging(test.app.get(DataSource));
    const chatters = await Chatter.meetAll(test.api, SENDERS);
    const [reader] = chatters as [Chatter];
    const stored = async (): Promise<Map<string, number>> => {
      const items: Message[] = [];
      for (let page = 1; page <= 10; page += 1)
        items.push(...(await reader.history(group, `?per_page=100&page=${page}`)).items);
      expect(new Set(items.map(({ content }) => content)).size).toBe(items.length);
      return new Map(items.map(({ content, id }) => [content, id]));
    };
    expect([...(await stored())]).toEqual(expect.arrayContaining([...acknowledged]));

    // Whoever got no answer sends again, and nothing is there twice.
    for (const [client_msg_id, sender] of attempted)
      await chatters[sender - 1]?.send(group, client_msg_id, { client_msg_id });
    expect([...(await stored()).keys()].toSorted()).toEqual([...attempted.keys()].toSorted());
    await expectSoundMessaging(test.app.get(DataSource));
  });
});
