import { setTimeout as pause } from 'node:timers/promises';
import { addCalls } from '../../test/support/all-calls';
import type { BenchApp, BenchPart } from './bench-app';
import { measureInTurn, type Row } from './measure';

const TARGET = 1.5;
const FEW = 1_000;
const MANY = 1_000_000;
const ADMIN = 1;
const USERS = 1_000;
/** User who takes part in every tenth call. */
const BUSY = 7;
const CHUNK = 10_000;
const SETTLE_MS = 6_000;
const MONTH_MS = 29 * 86_400_000;

const SEARCHES = {
  'first page': '',
  'a user without calls': 'user_id=999999999',
  'an average user': `user_id=${BUSY + 1}`,
  'a user in every tenth call': `user_id=${BUSY}`,
  'a status without calls': 'status=ongoing',
  'a reason without calls': 'end_reason=none',
  'a reason that goes with another status': 'end_reason=user_reject&status=ended&media_type=video',
  'that user, a status without calls': `user_id=${BUSY}&status=cancelled&media_type=video`,
  'that user, a reason without calls': `user_id=${BUSY}&end_reason=none`,
};

type Search = keyof typeof SEARCHES;

/**
 * Time of a page of the administrators' call list with a million calls, relative to a thousand. Both sizes are divided
 * by the time of a request that does not depend on them, so that other load on the machine affects both alike.
 */
export const allCalls: BenchPart = {
  name: 'all-calls',
  async run(bench) {
    await add(bench, FEW);
    const few = await measureSearches(bench);
    await add(bench, MANY - FEW);
    const many = await measureSearches(bench);
    return (Object.keys(SEARCHES) as Search[]).flatMap((name): Row[] => {
      const value = many[name].relative / few[name].relative;
      const what = `all calls, ${name}`;
      return [
        { what: `${what}: of ${FEW.toLocaleString('en')}`, value: few[name].p50, unit: 'ms' },
        {
          what: `${what}: of ${MANY.toLocaleString('en')}`,
          value,
          unit: '×',
          target: `≤ ${TARGET}`,
          met: value <= TARGET,
        },
      ];
    });
  },
};

/** Inserts calls of the last month, answered and declined. */
async function add({ dataSource }: BenchApp, count: number): Promise<void> {
  const now = Date.now();
  for (let start = 0; start < count; start += CHUNK) {
    const indices = Array.from({ length: Math.min(CHUNK, count - start) }, (_, index) => start + index);
    await addCalls(
      dataSource,
      indices.map((index) => {
        const isDeclined = index % 3 === 0;
        return {
          caller_id: index % 10 === 0 ? BUSY : 10 + (index % USERS),
          callee_id: 10 + USERS + (index % USERS),
          media_type: index % 4 === 0 ? 'video' : 'audio',
          status: isDeclined ? 'rejected' : 'ended',
          end_reason: isDeclined ? 'user_reject' : 'local_hangup',
          created_at: new Date(now - MONTH_MS + Math.floor((MONTH_MS * index) / count)),
        };
      }),
    );
  }
  // The service sheds load while its event loop is blocked.
  await pause(SETTLE_MS);
}

/** Measures each search, and its ratio to a request that involves no calls. */
async function measureSearches(bench: BenchApp): Promise<Record<Search, { p50: number; relative: number }>> {
  const headers = { authorization: `Bearer ${await bench.token(ADMIN, 'admin')}` };
  const ask = async (url: string): Promise<void> => {
    const response = await bench.app.inject({ url, headers });
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`);
  };
  const measured = {} as Record<Search, { p50: number; relative: number }>;
  for (const [name, query] of Object.entries(SEARCHES) as [Search, string][]) {
    const { search, reference } = await measureInTurn({
      search: () => ask(`/api/admin/calls?${query}`),
      reference: () => ask('/api/admin/keys'),
    });
    measured[name] = { p50: search.p50, relative: search.p50 / reference.p50 };
  }
  return measured;
}
