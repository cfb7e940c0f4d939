import { addPastCalls, insertCallLists, type PastCall } from '../../test/support/call-history';
import type { BenchApp, BenchPart } from './bench-app';
import { measureInTurn, type Row } from './measure';

const TARGET = 1.2;
const BUSY = { user: 1, count: 200_000 };
const QUIET = { user: 2, count: 40 };
const PEERS = 10;

/** Late pages of each list, with as many calls per page as the quiet user has on the first one. */
const LISTS = [
  { filter: '', rows: 20, page: 9_000 },
  { filter: '&direction=incoming', rows: 10, page: 9_000 },
  { filter: '&missed=1', rows: 5, page: 9_000 },
  { filter: '&direction=outgoing&media_type=video', rows: 5, page: 9_000 },
  { filter: '&peer_id=1000', rows: 2, page: 9_000 },
  { filter: '&peer_id=1000&missed=1', rows: 1, page: 4_000 },
];

/** Time of a page of the call history for a user with 200,000 calls, relative to a user with 40. */
export const calls: BenchPart = {
  name: 'calls',
  async run(bench) {
    await addPastCalls(bench.dataSource, BUSY.user, pastCalls(1, BUSY.count));
    await addPastCalls(bench.dataSource, QUIET.user, pastCalls(BUSY.count + 1, QUIET.count));
    await insertCallLists(bench.dataSource);
    const pageOf = await reader(bench);
    const rows: Row[] = [];
    for (const { filter, rows: perPage, page } of LISTS) {
      for (const number of [1, page]) {
        const works = {
          quiet: () => pageOf(QUIET.user, `page=1&per_page=${perPage}${filter}`),
          busy: () => pageOf(BUSY.user, `page=${number}&per_page=${perPage}${filter}`),
        };
        const { quiet, busy } = await measureInTurn(works);
        const what = `own calls, page ${number.toLocaleString('en')}${filter}`;
        const value = busy.p50 / quiet.p50;
        rows.push(
          { what: `${what}: page 1 of ${QUIET.count} calls`, value: quiet.p50, unit: 'ms' },
          { what: `${what}: 200,000`, value, unit: '×', target: `≤ ${TARGET}`, met: value <= TARGET },
        );
      }
    }
    return rows;
  },
};

/**
 * Finished calls with ten peers in turn. The user placed half of them, half of those were missed, and about half are
 * video calls.
 */
const pastCalls = (firstId: number, count: number): PastCall[] =>
  Array.from({ length: count }, (_, index) => ({
    id: firstId + index,
    peer_id: 1_000 + (index % PEERS),
    direction: index % 20 < 10 ? 'incoming' : 'outgoing',
    missed: index % 40 < 10,
    media_type: index % 4 < 2 ? 'audio' : 'video',
  }));

/** Returns a function that requests a page of a user's calls and asserts that it is not empty. */
async function reader(bench: BenchApp): Promise<(user: number, query: string) => Promise<void>> {
  const tokens = new Map<number, string>();
  for (const { user } of [BUSY, QUIET]) tokens.set(user, await bench.token(user));
  return async (user, query) => {
    const response = await bench.app.inject({
      method: 'GET',
      url: `/api/calls?${query}`,
      headers: { authorization: `Bearer ${tokens.get(user)}` },
    });
    const { data } = JSON.parse(response.body) as { data: { items: unknown[] } | null };
    if (data === null || data.items.length === 0) throw new Error(`${query} of ${user}: ${response.body}`);
  };
}
