import DataLoader from 'dataloader';

/** A question of one user that is cheaper to ask for many at once. */
export interface Batch<Answer> {
  load(userId: number): Promise<Answer>;
}

/** So many users share one query at most. */
const BATCH_SIZE = 100;

/**
 * Joins the questions of all requests that the event loop picks up in one turn into one query. Nothing is remembered:
 * every question is answered by a query that starts after it was asked.
 */
export function batch<Answer>(
  ask: (userIds: number[]) => Promise<Map<number, Answer>>,
  none: Answer,
): Batch<Answer> {
  return new DataLoader<number, Answer>(
    async (userIds) => {
      const answers = await ask([...new Set(userIds)]);
      return userIds.map((userId) => answers.get(userId) ?? none);
    },
    { cache: false, maxBatchSize: BATCH_SIZE, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  );
}
