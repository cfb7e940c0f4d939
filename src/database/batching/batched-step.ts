import DataLoader from 'dataloader';
import type { EntityManager } from 'typeorm';

/**
 * Creates a step that merges the statements of works in one batched transaction: items that reach the step in the same
 * turn of the event loop are passed to one call of `run`. Works that run the same steps side by side execute each
 * statement once.
 * @param name unique among all steps
 * @param run handles at least one item; returns a result per item, in order, or nothing if the step has no results
 */
export function batchedStep<Item, Result = void>(
  name: string,
  run: (em: EntityManager, items: readonly Item[]) => Promise<readonly Result[] | void>,
): (em: EntityManager, item: Item) => Promise<Result> {
  return (em, item) => {
    const steps: Record<string, unknown> = em.queryRunner?.data ?? {};
    steps[name] ??= new DataLoader<Item, Result>(
      async (items) => (await run(em, items)) ?? items.map(() => undefined as Result),
      { cache: false },
    );
    return (steps[name] as DataLoader<Item, Result>).load(item);
  };
}
