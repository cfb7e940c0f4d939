import type { PayloadResolver } from '../event-sources';
import type { EventPage } from './event-pages';

/**
 * Lets a resolver change the payloads of its event types, with one call for all pages that have any. If the resolver
 * has a limit, a page with many of them ends early, so that the size of a read stays bounded.
 */
export async function resolvePayloads(pages: EventPage[], resolver: PayloadResolver): Promise<EventPage[]> {
  const { types, maxEvents = Infinity } = resolver;
  const hasNone = ({ events }: EventPage): boolean => !events.some(({ type }) => types.has(type));
  const count = pages.filter((page) => !hasNone(page)).length;
  if (count === 0) return pages;
  const maxPerPage = Math.max(1, Math.floor(maxEvents / count));
  const truncated = pages.map((page) => (hasNone(page) ? page : truncate(page, maxPerPage, types)));
  await resolver.resolve(truncated.flatMap(({ events }) => events.filter(({ type }) => types.has(type))));
  return truncated;
}

/** Truncates a page before the event of one of these types that would exceed `count`. */
function truncate({ events, hasMore }: EventPage, count: number, types: ReadonlySet<string>): EventPage {
  let found = 0;
  const end = events.findIndex(({ type }) => {
    found += types.has(type) ? 1 : 0;
    return found > count;
  });
  return end === -1 ? { events, hasMore } : { events: events.slice(0, end), hasMore: true };
}
