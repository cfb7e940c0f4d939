import DataLoader from 'dataloader';
import { runWithoutCaller } from './current-caller';

/** Loads values by key. Concurrent loads share a query. */
export interface QueryBatcher<Value, Key = number> {
  load(key: Key): Promise<Value>;
}

/** Maximum number of keys per query. */
const BATCH_SIZE = 100;

/**
 * Joins the loads of all requests of one event-loop turn into one query (DataLoader). Nothing is cached: each load is
 * answered by a query that starts after it.
 * @param query loads the values of distinct keys
 * @param missing the value of a key that `query` does not return
 * @param minIntervalMs minimum interval between the starts of two queries: a load that arrives earlier waits for the
 *   next one
 */
export function queryBatcher<Value, Key = number>(
  query: (keys: Key[]) => Promise<Map<Key, Value>>,
  missing: Value,
  minIntervalMs = 0,
): QueryBatcher<Value, Key> {
  /** On the clock of `performance.now()`. */
  let nextQueryAt = 0;
  return new DataLoader<Key, Value>(
    async (keys) => {
      nextQueryAt = performance.now() + minIntervalMs;
      const values = await runWithoutCaller(() => query([...new Set(keys)]));
      return keys.map((key) => values.get(key) ?? missing);
    },
    {
      cache: false,
      maxBatchSize: BATCH_SIZE,
      batchScheduleFn: (dispatch) => {
        const waitMs = nextQueryAt - performance.now();
        if (waitMs > 0) setTimeout(dispatch, waitMs);
        else setImmediate(dispatch);
      },
    },
  );
}
