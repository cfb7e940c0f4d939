import type { PayloadResolver } from '../event-sources';
import { resolvePayloads } from './payload-resolution';
import type { LoggedEvent } from './event';
import type { EventPage } from './event-pages';

const created_at = new Date('2026-01-31T08:00:00.000Z');
const eventsOf = (...types: string[]): LoggedEvent[] =>
  types.map((type, index) => ({ seq: index + 1, type, payload: '{"signal":1}', created_at }));
const signals = (count: number): string[] => Array.from({ length: count }, () => 'call.signal');

describe('resolvePayloads', () => {
  const asked: number[] = [];
  const source: PayloadResolver = {
    types: new Set(['call.signal']),
    maxEvents: 64,
    resolve: async (events) => {
      asked.push(events.length);
      for (const event of events) event.payload = '{"body":1}';
    },
  };
  beforeEach(() => void asked.splice(0));

  it('resolves the payloads of all pages in one call, and leaves other events unchanged', async () => {
    const pages: EventPage[] = [
      { events: eventsOf('call.ringing', 'call.signal'), hasMore: false },
      { events: [], hasMore: false },
      { events: eventsOf('call.signal'), hasMore: true },
    ];
    const filled = await resolvePayloads(pages, source);
    expect(filled.map(({ events }) => events.map(({ payload }) => payload))).toEqual([
      ['{"signal":1}', '{"body":1}'],
      [],
      ['{"body":1}'],
    ]);
    expect(filled.map(({ hasMore }) => hasMore)).toEqual([false, false, true]);
    expect(asked).toEqual([2]);
  });

  it('does not call the resolver without such events', async () => {
    const pages: EventPage[] = [{ events: eventsOf('call.ringing'), hasMore: false }];
    expect(await resolvePayloads(pages, source)).toBe(pages);
    expect(asked).toEqual([]);
  });

  it('resolves at most as many payloads as the resolver allows, and ends the page before the next one', async () => {
    const types = ['call.ringing', ...signals(64), 'call.ongoing', 'call.signal', 'call.ended'];
    const [page] = await resolvePayloads([{ events: eventsOf(...types), hasMore: false }], source);
    expect(page?.events.map(({ type }) => type)).toEqual(types.slice(0, 66));
    expect(page?.hasMore).toBe(true);
  });

  it('divides the limit among the pages with such events, at least one each', async () => {
    const many = { events: eventsOf(...signals(40)), hasMore: false };
    const none = { events: eventsOf('call.ringing'), hasMore: false };
    const lengths = (pages: EventPage[]): number[] => pages.map(({ events }) => events.length);
    expect(lengths(await resolvePayloads([many, none, many, many], source))).toEqual([21, 1, 21, 21]);
    const crowd = Array.from({ length: 100 }, () => many);
    expect(new Set(lengths(await resolvePayloads(crowd, source)))).toEqual(new Set([1]));
  });
});
