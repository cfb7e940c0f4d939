import DataLoader from 'dataloader';
import type { EntityManager } from 'typeorm';

/**
 * A step of works that share a transaction: what they ask or write in the same turn of the event loop is asked or written
 * together, so that works which go the same way side by side take its statements once.
 * @param name of the step, unlike that of any other
 * @param ask answers to some items, at least one, in their order; nothing where a step has no answers
 */
export function joined<Item, Answer = void>(
  name: string,
  ask: (em: EntityManager, items: readonly Item[]) => Promise<readonly Answer[] | void>,
): (em: EntityManager, item: Item) => Promise<Answer> {
  return (em, item) => {
    const steps: Record<string, unknown> = em.queryRunner?.data ?? {};
    steps[name] ??= new DataLoader<Item, Answer>(
      async (items) => (await ask(em, items)) ?? items.map(() => undefined as Answer),
      { cache: false },
    );
    return (steps[name] as DataLoader<Item, Answer>).load(item);
  };
}
