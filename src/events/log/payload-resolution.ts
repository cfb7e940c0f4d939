import type { PayloadResolver } from '../event-sources';
import type { EventPage } from './event-pages';

/** Maximum number of such events per read, divided among its pages; every page gets at least one. */
const MAX_BODIES = 64;

/**
 * Resolves the payloads of events that are stored outside the log, with one more query for all pages that have any. A
 * page with many of them ends early, so that the size of a read stays bounded.
 */
export async function resolvePayloads(pages: EventPage[], source: PayloadResolver): Promise<EventPage[]> {
  const hasNone = ({ events }: EventPage): boolean => events.every(({ type }) => type !== source.type);
  const count = pages.filter((page) => !hasNone(page)).length;
  if (count === 0) return pages;
  const maxPerPage = Math.max(1, Math.floor(MAX_BODIES / count));
  const truncated = pages.map((page) => (hasNone(page) ? page : truncate(page, maxPerPage, source.type)));
  await source.resolve(truncated.flatMap(({ events }) => events.filter(({ type }) => type === source.type)));
  return truncated;
}

/** Truncates a page before the event of a type that would exceed `count`. */
function truncate({ events, hasMore }: EventPage, count: number, type: string): EventPage {
  let found = 0;
  const end = events.findIndex((event) => {
    found += event.type === type ? 1 : 0;
    return found > count;
  });
  return end === -1 ? { events, hasMore } : { events: events.slice(0, end), hasMore: true };
}
