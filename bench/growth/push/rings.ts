import { setTimeout as pause } from 'node:timers/promises';
import { PushProviders, type PushRequest } from '../../../test/support/push-providers';
import { eventually, ServiceProcess } from '../../../test/support/service-process';
import type { BenchPart } from '../bench-app';
import { type Row, timingOf } from '../measure';
import { Client } from './client';
import { loadTargets } from './data';

const TARGET_MS = 1_000;
const CALLS_PER_SECOND = 50;
/** The rings of the first seconds are not counted: the service compiles its code. */
const WARM_UP_SECONDS = 5;
const SECONDS = 20;
const CONNECTIONS = 32;

/** Time from the response to a call until the provider accepts the rings of the callee's phones. */
export const pushRings: BenchPart = {
  name: 'push-rings',
  async run(bench) {
    const calls = CALLS_PER_SECOND * (WARM_UP_SECONDS + SECONDS);
    // Every second callee has two phones.
    await loadTargets(bench, calls / 2);
    const providers = await PushProviders.open();
    // Calls ring until the end: the pushes of their ends are not measured.
    const env = { ...providers.env, CALL_RING_TIMEOUT_SECONDS: '600' };
    const service = await ServiceProcess.start(bench.databaseUrl, env);
    const client = new Client(service.url, CONNECTIONS);
    try {
      const answered = await placeCalls(client, calls);
      await eventually(
        async () => providers.all.length,
        (length) => length >= calls + calls / 2,
      );
      const counted = CALLS_PER_SECOND * WARM_UP_SECONDS;
      const delays = providers.all.flatMap((ring) => {
        const call = answered.get(topicOf(ring));
        return call === undefined || call.place < counted ? [] : [Math.max(0, ring.at - call.at)];
      });
      const { p50, p99 } = timingOf(delays);
      const what = `${CALLS_PER_SECOND} calls a second: from the response to the provider's acceptance`;
      return [
        { what: `${what}, p50`, value: p50, unit: 'ms' },
        { what: `${what}, p99`, value: p99, unit: 'ms', target: `≤ ${TARGET_MS}`, met: p99 <= TARGET_MS },
      ] satisfies Row[];
    } finally {
      await client.close();
      await service.stop();
      await providers.close();
    }
  },
};

/** Places calls at a constant rate. Returns their place and the time of the response, by topic. */
async function placeCalls(
  client: Client,
  count: number,
): Promise<Map<string, { place: number; at: number }>> {
  const answered = new Map<string, { place: number; at: number }>();
  const startedAt = performance.now();
  const requests: Promise<void>[] = [];
  for (let place = 0; place < count; place += 1) {
    const aheadMs = (place * 1_000) / CALLS_PER_SECOND - (performance.now() - startedAt);
    if (aheadMs > 0) await pause(aheadMs);
    requests.push(
      client
        .post<{ call_id: number }>(2 * place + 1, '/api/calls', { callee_id: 2 * place + 2 })
        .then(({ call_id }) => void answered.set(`call:${call_id}`, { place, at: Date.now() })),
    );
  }
  await Promise.all(requests);
  return answered;
}

const topicOf = ({ headers, body }: PushRequest): string =>
  String(
    headers['apns-collapse-id'] ??
      (body as { message: { android: { collapse_key: string } } }).message.android.collapse_key,
  );
