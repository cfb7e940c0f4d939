import { setTimeout as pause } from 'node:timers/promises';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, type Row } from './measure';

const TARGET = 1.05;
const WAITING = 100_000;
const ROWS_PER_STATEMENT = 500;
const ROUNDS = 3;
/** Time for the database to finish its background work after a hundred thousand rows were inserted or deleted. */
const SETTLE_MS = 6_000;
const SENDS = 400;
/** No process listens on the discard port. */
const DEAD = 'http://127.0.0.1:9/';
const LONG_AGO = '2026-01-31 08:00:00.000';

/** Effect of an unreachable endpoint on requests, with 100,000 pending deliveries, all of them due. */
export const webhooks: BenchPart = {
  name: 'webhooks',
  async run(bench) {
    const send = await sender(bench);
    await makeDeadEndpoint(bench);
    const quiet: number[] = [];
    const waiting: number[] = [];
    // The rounds alternate, so that other load on the machine affects both alike.
    for (let round = 0; round < ROUNDS; round += 1) {
      await bench.dataSource.query('DELETE FROM webhook_deliveries');
      await pause(SETTLE_MS);
      quiet.push((await measure(send, SENDS)).p50);
      await loadDeliveries(bench);
      await pause(SETTLE_MS);
      waiting.push((await measure(send, SENDS)).p50);
    }
    const value = medianOf(waiting) / medianOf(quiet);
    const what = `a message, while ${WAITING.toLocaleString('en')} deliveries to a dead endpoint are pending`;
    return [
      { what: 'a message, without pending deliveries', value: medianOf(quiet), unit: 'ms' },
      { what, value, unit: '×', target: `≤ ${TARGET}`, met: value <= TARGET },
    ] satisfies Row[];
  },
};

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns a function that sends a message and asserts success. */
async function sender(bench: BenchApp): Promise<() => Promise<unknown>> {
  const { app } = bench;
  const [sender, peer] = [await bench.token(1), await bench.token(2)];
  const request = async (authorization: string, url: string, payload: object) => {
    const response = await app.inject({ method: 'POST', url, payload, headers: { authorization } });
    const { code, data } = JSON.parse(response.body) as { code: number; data: { id: number } };
    if (code !== 0) throw new Error(`${url}: ${response.body}`);
    return data.id;
  };
  await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${peer}` } });
  const root = '/api/messages/conversations';
  const id = await request(`Bearer ${sender}`, root, { type: 'single', peer_id: 2 });
  const text = { type: 'text', content: 'It left our house this morning.' };
  return () => request(`Bearer ${sender}`, `${root}/${id}/messages`, text);
}

async function makeDeadEndpoint(bench: BenchApp): Promise<void> {
  const response = await bench.app.inject({
    method: 'POST',
    url: '/api/admin/webhooks',
    // The endpoint does not subscribe to the events of sent messages, so the number of deliveries is constant.
    payload: { url: DEAD, event_types: ['device.deleted'] },
    headers: { authorization: `Bearer ${await bench.token(3, 'admin')}` },
  });
  if (response.statusCode !== 200) throw new Error(response.body);
  const body = '{"id":"msg_0","type":"call.ended","data":{}}';
  await bench.dataSource.query(
    `INSERT INTO webhook_events (body, created_at) VALUES ('${body}', '2100-01-01 00:00:00.000')`,
  );
}

/** Created now, so that none of them is deleted by retention, and long overdue. */
async function loadDeliveries({ dataSource }: BenchApp): Promise<void> {
  const columns = 'endpoint_id, event_id, event_type, body_id, status, attempts, due_at, created_at';
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  for (let first = 0; first < WAITING; first += ROWS_PER_STATEMENT) {
    const rows = Array.from(
      { length: ROWS_PER_STATEMENT },
      (_, index) => `(1, 'msg_${first + index}', 'call.ended', 1, 'pending', 0, '${LONG_AGO}', '${now}')`,
    );
    await dataSource.query(`INSERT INTO webhook_deliveries (${columns}) VALUES ${rows.join(',')}`);
  }
}
