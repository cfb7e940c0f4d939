import DataLoader from 'dataloader';

/**
 * Creates a step of the callbacks in one batched transaction: items that reach the step in the same turn of the event
 * loop are passed to one call of `run`. Callbacks that run the same steps concurrently execute each statement once.
 * @param run handles at least one item; returns a result per item, in order, or nothing if the step has no results
 */
export function batchedStep<Item, Result = void>(
  run: (items: readonly Item[]) => Promise<readonly Result[] | void>,
): (item: Item) => Promise<Result> {
  const loader = new DataLoader<Item, Result>(
    async (items) => (await run(items)) ?? items.map(() => undefined as Result),
    { cache: false },
  );
  return (item) => loader.load(item);
}
