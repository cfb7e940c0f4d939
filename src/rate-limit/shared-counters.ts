import { type Hits, type Usage, WindowCounters } from './window-counters';

/** Topic of the questions with which workers count in the primary. */
export const COUNT = 'count';

/** `counters`: the group of counters; keys of one group never evict those of another. */
export interface CountRequest {
  counters: string;
  key: string;
  added?: Hits;
}

/** Returns the handler with which the primary counts for all workers. */
export function sharedCounters(now: () => number): (request: CountRequest) => Usage {
  const groups = new Map<string, WindowCounters>();
  return ({ counters, key, added }) => {
    const group = groups.get(counters) ?? new WindowCounters(now);
    groups.set(counters, group);
    return group.use(key, added);
  };
}
