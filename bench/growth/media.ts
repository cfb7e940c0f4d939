import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ServiceProcess } from '../../test/support/service-process';
import type { BenchApp } from './bench-app';
import { firstFrame } from './first-frame';
import type { Part } from './index';
import { measureInTurn, type Row } from './measure';
import { processorSeconds } from '../speed/servers';

/** What a signal may cost, in media reports. */
const SIGNAL_TARGET = 1.5;
/** What 1,000 calls under lease may take of one core. */
const LEASE_TARGET = 0.1;
const CALLS = 1_000;
/** Every terminal of every call reports every 20 s. */
const REPORTS_A_SECOND = (CALLS * 2) / 20;
const MEASURED_CALLS = 200;
const ROUNDS = 8;
/** Reports that are on their way at a time, as requests are in the table of speeds. */
const AT_ONCE = 32;
/** As an offer of Chromium with sound and pictures has it. */
const SDP = `v=0\r\n${'a=rtpmap:96 VP8/90000\r\n'.repeat(230)}`;
/** More are not kept of one user in one call. */
const SIGNALS_A_CALL = 150;

interface AnsweredCall {
  id: number;
  /** Of the caller and the callee. */
  tokens: [string, string];
}

/** What calls cost whose terminals the service connects itself. */
export const media: Part = {
  name: 'media',
  async run(bench) {
    const post = poster(bench);
    const rows = await signalAgainstReport(bench, post);
    rows.push(...(await thousandLeases(bench)));
    rows.push(...(await firstFrame(bench)));
    return rows;
  },
};

type Post = (token: string, path: string, body: object) => Promise<{ call_id: number }>;

/** Posts, and insists on success. */
const poster =
  ({ app }: BenchApp): Post =>
  async (token, path, body) => {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    const { code, data } = JSON.parse(answer.body) as { code: number; data: { call_id: number } };
    if (code !== 0) throw new Error(`${path}: ${answer.body}`);
    return data;
  };

/** Calls that were answered, between users of their own. */
async function answeredCalls(bench: BenchApp, post: Post, first: number, count: number) {
  const calls: AnsweredCall[] = [];
  for (let index = 0; index < count; index += 1) {
    const [caller, callee] = [first + 2 * index, first + 2 * index + 1];
    const tokens: [string, string] = [await bench.token(caller), await bench.token(callee)];
    // The service meets its users with their first request.
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

/** One after the other, in calls that both are sent to alike. */
async function signalAgainstReport(bench: BenchApp, post: Post): Promise<Row[]> {
  const calls = await answeredCalls(bench, post, 1, 4);
  let sent = 0;
  const callAt = (count: number): AnsweredCall => {
    const call = calls[Math.floor(count / SIGNALS_A_CALL)];
    if (call === undefined) throw new Error('More signals than calls take');
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
    // Reports that come together share their cost: this one is to be alone.
    () => pause(60),
  );
  const ratio = signal.p50 / report.p50;
  return [
    { what: 'a media report', value: report.p50, unit: 'ms' },
    {
      what: 'a signal with an offer of 5 KB, against a report',
      value: ratio,
      unit: '×',
      target: `≤ ${SIGNAL_TARGET}`,
      met: ratio <= SIGNAL_TARGET,
    },
  ];
}

/**
 * Every terminal reports, and each report finds a lease to be renewed: as in 20 s of 1,000 calls, but without the pauses,
 * in which this machine does other things and forgets this one. The service is a process of its own here, so that what it
 * takes of the processor is its own.
 */
async function thousandLeases(bench: BenchApp): Promise<Row[]> {
  const service = await ServiceProcess.start(bench.databaseUrl, { MEDIA_PROVIDER: 'webrtc' });
  try {
    const calls: { id: number; users: [caller: number, callee: number] }[] = [];
    for (let caller = 10_001; calls.length < MEASURED_CALLS; caller += 2) {
      const users: [number, number] = [caller, caller + 1];
      calls.push({ id: await leasedCall(service, users), users });
    }
    const shares: { service: number; database: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await bench.dataSource.query('UPDATE call_media_presences SET grace_until = ?', [inSeconds(bench, 40)]);
      const before = [processorSeconds(service.pid), processorSeconds(bench.databasePid)];
      const limit = pLimit(AT_ONCE);
      const reports = calls.flatMap(({ id, users: [caller, callee] }) => [
        limit(() => report(service, caller, id, 'desk')),
        limit(() => report(service, callee, id, 'phone')),
      ]);
      await Promise.all(reports);
      const after = [processorSeconds(service.pid), processorSeconds(bench.databasePid)];
      const [ofService = 0, ofDatabase = 0] = after.map((seconds, index) => seconds - (before[index] ?? 0));
      const scale = REPORTS_A_SECOND / (2 * calls.length);
      // The first round warms up.
      if (round > 0) shares.push({ service: ofService * scale, database: ofDatabase * scale });
    }
    return leaseRows(shares);
  } finally {
    await service.kill();
  }
}

/** A call that was answered, both of whose terminals have sent a signal. */
async function leasedCall(service: ServiceProcess, [caller, callee]: [number, number]): Promise<number> {
  // The service meets its users with their first request.
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
  const what = '1,000 calls under lease, of a core';
  const service = mean((share) => share.service);
  const database = mean((share) => share.database);
  const together = service + database;
  return [
    { what: `${what}: the service`, value: service, unit: '×' },
    { what: `${what}: the database`, value: database, unit: '×' },
    {
      what: `${what}: together`,
      value: together,
      unit: '×',
      target: `< ${LEASE_TARGET}`,
      met: together < LEASE_TARGET,
    },
  ];
}

/** A moment as the database takes it for a parameter. */
function inSeconds({ engine }: BenchApp, seconds: number): string | Date {
  const moment = new Date(Date.now() + seconds * 1000);
  return engine === 'better-sqlite3' ? moment.toISOString().replace('T', ' ').replace('Z', '') : moment;
}
