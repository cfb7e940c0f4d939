import { SearchIndexService } from '../../src/messaging/search/search-index.service';
import type { BenchApp, BenchPart } from './bench-app';
import type { Row } from './measure';
import { HISTORY, READER } from './messaging-data';
import { loadSearched, RARE_WORD, SHORT, SHORT_HISTORY, LONG } from './search-data';

const TARGET = 1.2;
const WALKS = 10;
/** Below the number of messages that completes the next filter. */
const SENDS = 60;

/** Cost of a request that searches a rare pair of characters, as the history of a chat grows, and of sends for it. */
export const search: BenchPart = {
  name: 'search',
  async run(bench) {
    await loadSearched(bench.dataSource, bench.engine);
    const index = bench.app.get(SearchIndexService);
    while ((await filtersIn(bench)) < Math.floor(HISTORY / 128) + Math.floor(SHORT_HISTORY / 128))
      await index.build();
    const walk = await createWalk(bench);
    const [short, long]: [number[], number[]] = [[], []];
    for (let count = 0; count <= WALKS; count += 1) {
      const [shortTimes, longTimes] = [await walk(SHORT), await walk(LONG)];
      // The first round is the warm-up.
      if (count === 0) continue;
      // The last request of a search has fewer messages left than the others.
      short.push(...shortTimes.slice(0, -1));
      long.push(...longTimes.slice(0, -1));
    }
    const perSmall = medianOf(short);
    const ratio = medianOf(long) / perSmall;
    const written = await filtersWrittenBySends(bench);
    return [
      { what: 'search of a rare pair in 200,000 messages, a request', value: perSmall, unit: 'ms' },
      {
        what: 'the same in 1,000,000 messages, a request',
        value: ratio,
        unit: '×',
        target: `≤ ${TARGET}`,
        met: ratio <= TARGET,
      },
      {
        what: `filters that ${SENDS} sends write`,
        value: written,
        unit: 'rows',
        target: '0',
        met: written === 0,
      },
    ] satisfies Row[];
  },
};

/** Returns a function that searches a whole chat, asserts that it finds the one message, and returns the times. */
async function createWalk(bench: BenchApp): Promise<(conversation: number) => Promise<number[]>> {
  const headers = { authorization: `Bearer ${await bench.token(READER)}` };
  return async (conversation) => {
    const times: number[] = [];
    let hits = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({
        keyword: RARE_WORD,
        conversation_id: String(conversation),
        ...(cursor !== '' && { cursor }),
      });
      const startedAt = performance.now();
      const { body } = await bench.app.inject({ url: `/api/messages/search?${query.toString()}`, headers });
      times.push(performance.now() - startedAt);
      const { code, data } = JSON.parse(body) as {
        code: number;
        data: { items: unknown[]; next_cursor: string | null };
      };
      if (code !== 0) throw new Error(body);
      hits += data.items.length;
      cursor = data.next_cursor;
    }
    if (hits !== 1) throw new Error(`${hits} hits in conversation ${conversation}`);
    return times;
  };
}

async function filtersWrittenBySends(bench: BenchApp): Promise<number> {
  const before = await filtersIn(bench);
  const headers = { authorization: `Bearer ${await bench.token(READER)}` };
  for (let count = 0; count < SENDS; count += 1) {
    const response = await bench.app.inject({
      method: 'POST',
      url: `/api/messages/conversations/${LONG}/messages`,
      headers,
      payload: { type: 'text', content: 'hello' },
    });
    if (response.statusCode !== 200) throw new Error(response.body);
  }
  return (await filtersIn(bench)) - before;
}

async function filtersIn({ dataSource }: BenchApp): Promise<number> {
  const [row] = await dataSource.query<{ filters: number | string }[]>(
    'SELECT COUNT(*) AS filters FROM message_filters',
  );
  return Number(row?.filters);
}

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
