import { setTimeout as pause } from 'node:timers/promises';
import type { BenchApp } from './bench-app';
import type { Part } from './index';
import { measure, type Row } from './measure';

const TARGET = 1.05;
const WAITING = 100_000;
const ROWS_A_STATEMENT = 500;
const ROUNDS = 3;
/** What a hundred thousand rows leave for the database to do when they have come or gone. */
const SETTLE_MS = 6_000;
const SENDS = 400;
/** Nobody listens on the port of discarding. */
const DEAD = 'http://127.0.0.1:9/';
const LONG_AGO = '2026-01-31 08:00:00.000';

/** What users notice of an endpoint at which nobody answers, with 100,000 deliveries that wait for it, all of them due. */
export const webhooks: Part = {
  name: 'webhooks',
  async run(bench) {
    const send = await sender(bench);
    await makeDeadEndpoint(bench);
    const quiet: number[] = [];
    const waiting: number[] = [];
    // In turns, so that what else keeps the machine busy hits both alike.
    for (let round = 0; round < ROUNDS; round += 1) {
      await bench.dataSource.query('DELETE FROM webhook_deliveries');
      await pause(SETTLE_MS);
      quiet.push((await measure(send, SENDS)).p50);
      await loadDeliveries(bench);
      await pause(SETTLE_MS);
      waiting.push((await measure(send, SENDS)).p50);
    }
    const value = medianOf(waiting) / medianOf(quiet);
    const what = `a message, while ${WAITING.toLocaleString('en')} deliveries wait for a dead endpoint`;
    return [
      { what: 'a message, while nothing waits for it', value: medianOf(quiet), unit: 'ms' },
      { what, value, unit: '×', target: `≤ ${TARGET}`, met: value <= TARGET },
    ] satisfies Row[];
  },
};

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Sends a message, and insists on success. */
async function sender(bench: BenchApp): Promise<() => Promise<unknown>> {
  const { app } = bench;
  const [sender, peer] = [await bench.token(1), await bench.token(2)];
  const request = async (authorization: string, url: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url, payload, headers: { authorization } });
    const { code, data } = JSON.parse(answer.body) as { code: number; data: { id: number } };
    if (code !== 0) throw new Error(`${url}: ${answer.body}`);
    return data.id;
  };
  await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${peer}` } });
  const root = '/api/messages/conversations';
  const id = await request(`Bearer ${sender}`, root, { type: 'single', peer_id: 2 });
  const text = { type: 'text', content: 'It left our house this morning.' };
  return () => request(`Bearer ${sender}`, `${root}/${id}/messages`, text);
}

async function makeDeadEndpoint(bench: BenchApp): Promise<void> {
  const answer = await bench.app.inject({
    method: 'POST',
    url: '/api/admin/webhooks',
    // What is sent makes none of its own, so that the number stays.
    payload: { url: DEAD, event_types: ['device.deleted'] },
    headers: { authorization: `Bearer ${await bench.token(3, 'admin')}` },
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const body = '{"id":"msg_0","type":"call.ended","data":{}}';
  await bench.dataSource.query(
    `INSERT INTO webhook_events (body, created_at) VALUES ('${body}', '2100-01-01 00:00:00.000')`,
  );
}

/** Made just now, so that nothing of it is trimmed meanwhile, and due for long. */
async function loadDeliveries({ dataSource }: BenchApp): Promise<void> {
  const columns = 'endpoint_id, event_id, event_type, body_id, status, attempts, due_at, created_at';
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  for (let first = 0; first < WAITING; first += ROWS_A_STATEMENT) {
    const rows = Array.from(
      { length: ROWS_A_STATEMENT },
      (_, index) => `(1, 'msg_${first + index}', 'call.ended', 1, 'pending', 0, '${LONG_AGO}', '${now}')`,
    );
    await dataSource.query(`INSERT INTO webhook_deliveries (${columns}) VALUES ${rows.join(',')}`);
  }
}
