import type { BodySource } from '../event-sources';
import type { Page } from './event-pages';

/** What one read brings of such events at most, shared out among its pages, each of which gets one in any case. */
const MAX_BODIES = 64;

/**
 * Pages with the bodies of events that are kept outside the log put in, by one more query for pages that have any. A page
 * with many of them ends early, so that what is read stays bounded.
 */
export async function withBodies(pages: Page[], source: BodySource): Promise<Page[]> {
  const hasNone = ({ events }: Page): boolean => events.every(({ type }) => type !== source.type);
  const count = pages.filter((page) => !hasNone(page)).length;
  if (count === 0) return pages;
  const each = Math.max(1, Math.floor(MAX_BODIES / count));
  const cut = pages.map((page) => (hasNone(page) ? page : upTo(page, each, source.type)));
  await source.fill(cut.flatMap(({ events }) => events.filter(({ type }) => type === source.type)));
  return cut;
}

/** A page up to so many events of a type, and the others in between. */
function upTo({ events, hasMore }: Page, count: number, type: string): Page {
  let found = 0;
  const end = events.findIndex((event) => {
    found += event.type === type ? 1 : 0;
    return found > count;
  });
  return end === -1 ? { events, hasMore } : { events: events.slice(0, end), hasMore: true };
}
