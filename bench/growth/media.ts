import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ServiceProcess } from '../../test/support/service-process';
import type { BenchApp, BenchPart } from './bench-app';
import { firstFrame } from './first-frame';
import { measureInTurn, type Row } from './measure';
import { processorSeconds } from '../speed/servers';

/** Maximum cost of a signal, as a multiple of a media report. */
const SIGNAL_TARGET = 1.5;
/** Maximum share of one core for 1,000 calls with leases. */
const LEASE_TARGET = 0.1;
const CALLS = 1_000;
/** Every terminal of every call reports every 20 s. */
const REPORTS_PER_SECOND = (CALLS * 2) / 20;
const MEASURED_CALLS = 200;
const ROUNDS = 8;
/** Number of concurrent reports, the same as in the table of speeds. */
const CONCURRENCY = 32;
/** About as long as an offer of Chromium with audio and video. */
const SDP = `v=0\r\n${'a=rtpmap:96 VP8/90000\r\n'.repeat(230)}`;
/** Maximum number of signals that the service keeps per user and call. */
const SIGNALS_PER_CALL = 150;

interface AnsweredCall {
  id: number;
  /** Tokens of the caller and the callee. */
  tokens: [string, string];
}

/** Cost of calls whose terminals the built-in media provider connects. */
export const media: BenchPart = {
  name: 'media',
  async run(bench) {
    const post = createPost(bench);
    const rows = await compareSignalToReport(bench, post);
    rows.push(...(await measureLeases(bench)));
    rows.push(...(await firstFrame(bench)));
    return rows;
  },
};

type Post = (token: string, path: string, body: object) => Promise<{ call_id: number }>;

/** Returns a function that posts and asserts success. */
const createPost =
  ({ app }: BenchApp): Post =>
  async (token, path, body) => {
    const response = await app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    const { code, data } = JSON.parse(response.body) as { code: number; data: { call_id: number } };
    if (code !== 0) throw new Error(`${path}: ${response.body}`);
    return data;
  };

/** Places and answers calls, each between two users without another call. */
async function createAnsweredCalls(bench: BenchApp, post: Post, first: number, count: number) {
  const calls: AnsweredCall[] = [];
  for (let index = 0; index < count; index += 1) {
    const [caller, callee] = [first + 2 * index, first + 2 * index + 1];
    const tokens: [string, string] = [await bench.token(caller), await bench.token(callee)];
    // The first request of a user creates the account.
    await bench.app.inject({ url: '/api/calls/active', headers: { authorization: `Bearer ${tokens[1]}` } });
    const { call_id: id } = await post(tokens[0], '/api/calls', { callee_id: callee, terminal_id: 'desk' });
    await post(tokens[1], `/api/calls/${id}/accept`, { terminal_id: 'phone' });
    calls.push({ id, tokens });
  }
  return calls;
}

const offer = (session_id: string): object => ({
  terminal_id: 'desk',
  signal_id: randomUUID(),
  session_id,
  description: { type: 'offer', sdp: SDP },
});

/** Sends signals and reports alternately to the same calls, one after another. */
async function compareSignalToReport(bench: BenchApp, post: Post): Promise<Row[]> {
  const calls = await createAnsweredCalls(bench, post, 1, 4);
  let sent = 0;
  const callAt = (count: number): AnsweredCall => {
    const call = calls[Math.floor(count / SIGNALS_PER_CALL)];
    if (call === undefined) throw new Error('Too few calls for the number of signals');
    return call;
  };
  const joined = { terminal_id: 'desk', stage: 'joined', network_quality: 'good' };
  const { report, signal } = await measureInTurn(
    {
      report: () => {
        const { id, tokens } = callAt(sent);
        return post(tokens[0], `/api/calls/${id}/media-state`, joined);
      },
      signal: () => {
        const { id, tokens } = callAt(sent);
        sent += 1;
        return post(tokens[0], `/api/calls/${id}/signals`, offer('session'));
      },
    },
    200,
    // Concurrent reports share a transaction; the pause makes this one run alone.
    () => pause(60),
  );
  const ratio = signal.p50 / report.p50;
  return [
    { what: 'a media report', value: report.p50, unit: 'ms' },
    {
      what: 'a signal with an offer of 5 KB, relative to a report',
      value: ratio,
      unit: '×',
      target: `≤ ${SIGNAL_TARGET}`,
      met: ratio <= SIGNAL_TARGET,
    },
  ];
}

/**
 * Every terminal reports, and each report finds a lease that is due for renewal: the work of 20 s of 1,000 calls, but
 * without the pauses, in which other processes would evict its caches. The service runs in its own process, so that its
 * processor time is counted alone.
 */
async function measureLeases(bench: BenchApp): Promise<Row[]> {
  const service = await ServiceProcess.start(bench.databaseUrl, { MEDIA_PROVIDER: 'webrtc' });
  try {
    const calls: { id: number; users: [caller: number, callee: number] }[] = [];
    for (let caller = 10_001; calls.length < MEASURED_CALLS; caller += 2) {
      const users: [number, number] = [caller, caller + 1];
      calls.push({ id: await createLeasedCall(service, users), users });
    }
    const shares: { service: number; database: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await bench.dataSource.query('UPDATE call_media_presences SET grace_until = ?', [
        timeParameter(bench, 40),
      ]);
      const before = [processorSeconds(service.pid), processorSeconds(bench.databasePid)];
      const limit = pLimit(CONCURRENCY);
      const reports = calls.flatMap(({ id, users: [caller, callee] }) => [
        limit(() => report(service, caller, id, 'desk')),
        limit(() => report(service, callee, id, 'phone')),
      ]);
      await Promise.all(reports);
      const after = [processorSeconds(service.pid), processorSeconds(bench.databasePid)];
      const [ofService = 0, ofDatabase = 0] = after.map((seconds, index) => seconds - (before[index] ?? 0));
      const scale = REPORTS_PER_SECOND / (2 * calls.length);
      // The first round is the warm-up.
      if (round > 0) shares.push({ service: ofService * scale, database: ofDatabase * scale });
    }
    return leaseRows(shares);
  } finally {
    await service.kill();
  }
}

/** Creates an answered call in which both terminals have sent a signal. */
async function createLeasedCall(
  service: ServiceProcess,
  [caller, callee]: [number, number],
): Promise<number> {
  // The first request of a user creates the account.
  await service.send(callee, 'GET', '/api/calls/active');
  const placed = { callee_id: callee, terminal_id: 'desk' };
  const { call_id: id } = (await service.send(caller, 'POST', '/api/calls', placed)).data;
  await service.send(callee, 'POST', `/api/calls/${id}/accept`, { terminal_id: 'phone' });
  await service.send(caller, 'POST', `/api/calls/${id}/signals`, offer('session'));
  const greeting = { terminal_id: 'phone', signal_id: 'greeting' };
  await service.send(callee, 'POST', `/api/calls/${id}/signals`, greeting);
  await report(service, caller, id, 'desk');
  await report(service, callee, id, 'phone');
  return id;
}

async function report(service: ServiceProcess, user: number, id: number, terminal_id: string): Promise<void> {
  const body = { terminal_id, stage: 'joined', network_quality: 'good' };
  const { code, data } = await service.send(user, 'POST', `/api/calls/${id}/media-state`, body);
  if (code !== 0 || data.status !== 'ongoing') throw new Error(`The call is ${JSON.stringify(data)}`);
}

function leaseRows(shares: { service: number; database: number }[]): Row[] {
  const mean = (of: (share: (typeof shares)[number]) => number): number =>
    shares.reduce((sum, share) => sum + of(share), 0) / shares.length;
  const what = '1,000 calls with leases, share of a core';
  const service = mean((share) => share.service);
  const database = mean((share) => share.database);
  const together = service + database;
  return [
    { what: `${what}: the service`, value: service, unit: '×' },
    { what: `${what}: the database`, value: database, unit: '×' },
    {
      what: `${what}: total`,
      value: together,
      unit: '×',
      target: `< ${LEASE_TARGET}`,
      met: together < LEASE_TARGET,
    },
  ];
}

/** A timestamp as a parameter of the database. */
function timeParameter({ engine }: BenchApp, seconds: number): string | Date {
  const moment = new Date(Date.now() + seconds * 1000);
  return engine === 'better-sqlite3' ? moment.toISOString().replace('T', ' ').replace('Z', '') : moment;
}
