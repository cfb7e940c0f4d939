import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dataOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { freePort } from '../support/throwaway-mariadb.js';
import { deliverAll, dispatchEvents, subscribe, WEBHOOKS } from '../support/webhooks';
import { Clock } from '../../src/common/clock';
import { FakeClock } from '../support/fake-clock';

/** The receiver of docs/webhooks.md, word for word. */
function receiverOfTheDocument(): string {
  const [, code] =
    /^```js\n(\/\/ receiver\.mjs\n[\s\S]*?)^```$/m.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? [];
  if (code === undefined) throw new Error('docs/webhooks.md has no receiver');
  return code;
}

/** Runs it in a separate process and returns its output. */
class Reader {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;

  constructor(file: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.lines.push(line);
        this.#child.emit('printed');
      });
  }

  async has(count: number): Promise<string[]> {
    while (this.lines.length < count) await once(this.#child, 'printed');
    return this.lines;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

describe('The receiver of docs/webhooks.md', () => {
  let test: TestApp;
  let folder: string;
  beforeAll(async () => {
    // The receiver checks timestamps against the real time.
    const clock = new FakeClock(new Clock().now().toISOString());
    test = await createTestApp({ env: WEBHOOKS, clock });
    folder = mkdtempSync(join(tmpdir(), 'callboard-receiver-'));
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true });
  });

  it('has at most thirty lines', () => {
    expect(receiverOfTheDocument().trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });

  it('accepts each event of the service once, also during a rotation of the secret, and nothing else', async () => {
    const file = join(folder, 'receiver.mjs');
    writeFileSync(file, receiverOfTheDocument());
    const admin = await test.api.as({ id: 1, role: 'admin' });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { id, secret } = await subscribe(admin, { url, event_types: ['call.ended'] });
    const reader = new Reader(file, { PATH: process.env.PATH, SECRET: secret, PORT: String(port) });
    try {
      expect(await reader.has(1)).toEqual(['ready']);
      const path = `/api/admin/webhooks/${id}`;
      expect(dataOf(await admin.post(`${path}/test`))).toMatchObject({ ok: true, status_code: 204 });
      expect(await reader.has(2)).toEqual(['ready', `webhook.test {"webhook_id":${id}}`]);

      dataOf(await admin.post(`${path}/secret`));
      await dispatchEvents(test.app, { id: 'msg_1', payload: { call: { call_id: 7, duration: 42 } } });
      await deliverAll(test.app);
      const [delivery] = dataOf(await admin.get(`${path}/deliveries`)).items;
      expect(delivery).toMatchObject({ event_id: 'msg_1', status: 'succeeded' });
      dataOf(await admin.post(`${path}/deliveries/${delivery.id}/redeliver`));
      await deliverAll(test.app);
      await dispatchEvents(test.app, { id: 'msg_2', payload: { call: { call_id: 8, duration: 0 } } });
      await deliverAll(test.app);
      expect((await reader.has(4)).slice(2)).toEqual([
        'call.ended {"call":{"call_id":7,"duration":42}}',
        'call.ended {"call":{"call_id":8,"duration":0}}',
      ]);
      expect(dataOf(await admin.get(`${path}/deliveries`)).items).toMatchObject([
        { event_id: 'msg_2', status: 'succeeded' },
        { event_id: 'msg_1', status: 'succeeded' },
        { event_type: 'webhook.test', status: 'succeeded' },
      ]);

      const half = connect(port, '127.0.0.1');
      half.write('POST / HTTP/1.1\r\nHost: receiver\r\nContent-Length: 9\r\n\r\n{', () =>
        half.resetAndDestroy(),
      );
      await once(half, 'close');
      const forged = { 'webhook-id': 'msg_3', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
      for (const headers of [{}, forged, { ...forged, 'webhook-signature': 'v1,AAAA v1,' }])
        expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
      expect(reader.lines).toHaveLength(4);
    } finally {
      await reader.stop();
    }
  });
});
