import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { PushProviders } from '../../../test/support/push-providers';
import { eventually, ServiceProcess } from '../../../test/support/service-process';
import { median } from '../../speed/rounds';
import { processorMicroseconds } from '../../speed/servers';
import type { BenchPart } from '../bench-app';
import type { Row } from '../measure';
import { Client } from './client';
import { CHATS, loadTargets, TARGETS } from './data';
import { isQueueDone } from './queue';

const TARGET = 0.9;
const CONCURRENCY = 16;
const ROUNDS = 7;
/** Sends before a round is timed, so that pushes are sent during all of it. */
const LEAD_IN_MS = 1_500;
const ROUND_MS = 3_000;
/** Time for the database to purge the rows of a round. */
const SETTLE_MS = 1_000;
/** Numbers of chats: in a few busy ones pushes are seconds apart; in many quiet ones most messages are pushed. */
const MIXES = [CONCURRENCY, CHATS];

interface Side {
  service: ServiceProcess;
  client: Client;
}

interface Round {
  perSecond: number;
  /** Processor time of service and database for a send in microseconds, with the work that it leaves behind. */
  cost: number;
}

/** Throughput of sends whose recipients have push targets, relative to a service without push. */
export const pushSends: BenchPart = {
  name: 'push-sends',
  async run(bench) {
    await loadTargets(bench);
    const providers = await PushProviders.open();
    providers.replies.fcm = () => {
      providers.clear();
      return { status: 200, body: {} };
    };
    // The one without push starts first, because it removes the position of push in the log of domain events.
    const plain = await startSide(bench.databaseUrl, {});
    const pushing = await startSide(bench.databaseUrl, providers.env);
    try {
      const rows: Row[] = [];
      for (const chats of MIXES) rows.push(...(await compare(bench, { plain, pushing }, chats)));
      return rows;
    } finally {
      for (const { client, service } of [plain, pushing]) {
        await client.close();
        await service.stop();
      }
      await providers.close();
    }
  },
};

async function startSide(databaseUrl: string, env: NodeJS.ProcessEnv): Promise<Side> {
  const service = await ServiceProcess.start(databaseUrl, env);
  return { service, client: new Client(service.url, CONCURRENCY) };
}

async function compare(
  { dataSource, databasePid }: { dataSource: DataSource; databasePid: number },
  { plain, pushing }: { plain: Side; pushing: Side },
  chats: number,
): Promise<Row[]> {
  const rates: number[] = [];
  const costs: number[] = [];
  const absolute: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const results = new Map<Side, Round>();
    for (const side of round % 2 === 0 ? [plain, pushing] : [pushing, plain]) {
      results.set(side, await playRound(side, { dataSource, databasePid, chats }));
      // The next pushes of the same chats are due while the other service is measured.
      await dataSource.query('DELETE FROM push_jobs');
      await pause(SETTLE_MS);
    }
    const [without, with_] = [results.get(plain), results.get(pushing)];
    // The first round is the warm-up.
    if (round === 0 || without === undefined || with_ === undefined) continue;
    rates.push(with_.perSecond / without.perSecond);
    costs.push(with_.cost / without.cost);
    absolute.push(without.perSecond);
  }
  const value = median(rates);
  const where = `in ${chats.toLocaleString('en')} single chats`;
  return [
    { what: `sends ${where} without push`, value: median(absolute), unit: '/s' },
    {
      what: `sends ${where} with ${TARGETS.toLocaleString('en')} targets, relative to that`,
      value,
      unit: '×',
      target: `≥ ${TARGET}`,
      met: value >= TARGET,
    },
    { what: `sends ${where}: processor time with push, relative to that`, value: median(costs), unit: '×' },
  ];
}

async function playRound(
  { service, client }: Side,
  { dataSource, databasePid, chats }: { dataSource: DataSource; databasePid: number; chats: number },
): Promise<Round> {
  const used = (): number => processorMicroseconds(service.pid) + processorMicroseconds(databasePid);
  const cpu = used();
  let sent = 0;
  const send = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const chat = (sent % chats) + 1;
      sent += 1;
      const path = `/api/messages/conversations/${chat}/messages`;
      await client.post(2 * chat - 1, path, { type: 'text', content: 'See you at eight' });
    }
  };
  const sendFor = async (ms: number): Promise<void> => {
    const until = performance.now() + ms;
    await Promise.all(Array.from({ length: CONCURRENCY }, () => send(until)));
  };
  await sendFor(LEAD_IN_MS);
  const [startedAt, before] = [performance.now(), sent];
  await sendFor(ROUND_MS);
  const perSecond = (sent - before) / ((performance.now() - startedAt) / 1_000);
  await eventually(
    () => isQueueDone(dataSource),
    (isDone) => isDone,
  );
  return { perSecond, cost: (used() - cpu) / sent };
}
