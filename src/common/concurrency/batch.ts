import DataLoader from 'dataloader';
import { runForNobody } from './current-caller';

/** A question about one thing, named by a key, that is cheaper to ask about many at once. */
export interface Batch<Answer, Key = number> {
  load(key: Key): Promise<Answer>;
}

/** So many keys share one query at most. */
const BATCH_SIZE = 100;

/**
 * Joins the questions of all requests that the event loop picks up in one turn into one query. Nothing is remembered:
 * every question is answered by a query that starts after it was asked.
 * @param restMs so long after a query began the next one waits for company; who comes later than that waits for nobody
 */
export function batch<Answer, Key = number>(
  ask: (keys: Key[]) => Promise<Map<Key, Answer>>,
  none: Answer,
  restMs = 0,
): Batch<Answer, Key> {
  /** On the clock of `performance.now()`. */
  let restsUntil = 0;
  return new DataLoader<Key, Answer>(
    async (keys) => {
      restsUntil = performance.now() + restMs;
      const answers = await runForNobody(() => ask([...new Set(keys)]));
      return keys.map((key) => answers.get(key) ?? none);
    },
    {
      cache: false,
      maxBatchSize: BATCH_SIZE,
      batchScheduleFn: (dispatch) => {
        const waitMs = restsUntil - performance.now();
        if (waitMs > 0) setTimeout(dispatch, waitMs);
        else setImmediate(dispatch);
      },
    },
  );
}
