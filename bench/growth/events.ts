import { Transactions } from '../../src/database/transactions';
import { EventsService } from '../../src/events/events.service';
import type { BenchApp } from './bench-app';
import { measure, type Row } from './measure';
import { openStreams } from './stream-crowd';

const STREAMS = 10_000;
const MAX_MEMORY_MIB = 1_024;
const HISTORY = 100_000;
const MIB = 1024 * 1024;
/** A payload of typical length. */
const PAYLOAD = { notification_type: 'x'.repeat(200), unread_count: 0, by_type: {} };

/** Cost of open streams, and whether a long log makes reading or writing slower. */
export const events = {
  name: 'events',
  async run(bench: BenchApp): Promise<Row[]> {
    return [...(await growth(bench)), ...(await streams(bench))];
  },
};

const append = ({ app }: BenchApp, userIds: number[]): Promise<void> =>
  app.get(Transactions).run(async (em) => {
    app.get(EventsService).append(
      em,
      userIds.map((userId) => ({ userId, type: 'notification.all_read', payload: PAYLOAD })),
    );
  });

const ratio = (what: string, value: number): Row => ({
  what,
  value,
  unit: '×',
  target: '≤ 2',
  met: value <= 2,
});

async function growth(bench: BenchApp): Promise<Row[]> {
  const [short, long] = [1, 2];
  await append(bench, [short]);
  for (let count = 0; count < HISTORY; count += 5_000) {
    await append(
      bench,
      Array.from({ length: 5_000 }, () => long),
    );
  }
  const poll = async (user: number, after: number): Promise<() => Promise<unknown>> => {
    const headers = { authorization: `Bearer ${await bench.token(user)}` };
    return () => bench.app.inject({ url: `/api/events/poll?after=${after}`, headers });
  };
  const [shortPoll, longPoll] = [
    await measure(await poll(short, 0)),
    await measure(await poll(long, HISTORY - 1)),
  ];
  const shortWrite = await measure(() => append(bench, [short]));
  const longWrite = await measure(() => append(bench, [long]));
  return [
    { what: 'write an event', value: longWrite.p50, unit: 'ms' },
    ratio('write after 100,000 events, relative to after 1', longWrite.p50 / shortWrite.p50),
    { what: 'poll the newest event', value: longPoll.p50, unit: 'ms' },
    ratio('poll after 100,000 events, relative to after 1', longPoll.p50 / shortPoll.p50),
  ];
}

async function streams(bench: BenchApp): Promise<Row[]> {
  const users = Array.from({ length: STREAMS }, (_, index) => index + 10);
  const tokens = await Promise.all(users.map((user) => bench.token(user)));
  const before = process.memoryUsage().rss;
  const crowd = await openStreams(bench.url, tokens);
  const opened = process.memoryUsage().rss;
  try {
    const one = crowd.untilAllReceived();
    const start = Date.now();
    await append(bench, users);
    const written = Date.now() - start;
    const received = (await one) - start;
    const memory = process.memoryUsage().rss;
    return [
      { what: `memory of the process with ${STREAMS} open streams`, value: opened / MIB, unit: 'MiB' },
      { what: 'memory per open stream', value: (opened - before) / STREAMS / 1024, unit: 'KiB' },
      {
        what: 'memory after an event to each stream',
        value: memory / MIB,
        unit: 'MiB',
        target: `≤ ${MAX_MEMORY_MIB}`,
        met: memory / MIB <= MAX_MEMORY_MIB,
      },
      { what: 'an event to each stream: written', value: written, unit: 'ms' },
      { what: 'an event to each stream: received by the last', value: received, unit: 'ms' },
    ];
  } finally {
    crowd.close();
  }
}
