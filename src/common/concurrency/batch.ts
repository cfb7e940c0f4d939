import DataLoader from 'dataloader';

/** A question about one id that is cheaper to ask about many at once. */
export interface Batch<Answer> {
  load(id: number): Promise<Answer>;
}

/** So many ids share one query at most. */
const BATCH_SIZE = 100;

/**
 * Joins the questions of all requests that the event loop picks up in one turn into one query. Nothing is remembered:
 * every question is answered by a query that starts after it was asked.
 */
export function batch<Answer>(
  ask: (ids: number[]) => Promise<Map<number, Answer>>,
  none: Answer,
): Batch<Answer> {
  return new DataLoader<number, Answer>(
    async (ids) => {
      const answers = await ask([...new Set(ids)]);
      return ids.map((id) => answers.get(id) ?? none);
    },
    { cache: false, maxBatchSize: BATCH_SIZE, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  );
}
