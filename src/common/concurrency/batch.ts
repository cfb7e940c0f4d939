import DataLoader from 'dataloader';

/** A question about one thing, named by a key, that is cheaper to ask about many at once. */
export interface Batch<Answer, Key = number> {
  load(key: Key): Promise<Answer>;
}

/** So many keys share one query at most. */
const BATCH_SIZE = 100;

/**
 * Joins the questions of all requests that the event loop picks up in one turn into one query. Nothing is remembered:
 * every question is answered by a query that starts after it was asked.
 */
export function batch<Answer, Key = number>(
  ask: (keys: Key[]) => Promise<Map<Key, Answer>>,
  none: Answer,
): Batch<Answer, Key> {
  return new DataLoader<Key, Answer>(
    async (keys) => {
      const answers = await ask([...new Set(keys)]);
      return keys.map((key) => answers.get(key) ?? none);
    },
    { cache: false, maxBatchSize: BATCH_SIZE, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  );
}
