import type { EntityManager } from 'typeorm';

/** Key in the data of a transaction's query runner. */
const HOOKS = 'endings';

/** Hooks that a part of a transaction registers for its end. */
export interface Ending {
  /** Runs before the commit, after all other writes. `now`: the time at which the transaction ends. */
  write: (now: Date) => Promise<void>;
  /** Runs after the commit. Must not throw. */
  committed?: () => void;
  /**
   * Runs `beforeCommit` after that of all other hooks, because it locks rows that very many transactions write.
   * Default: the order of registration.
   */
  isLast?: boolean;
}

/** Hooks with a value that parts of the transaction add to until its end. */
export interface Gathering<T> extends Ending {
  gathered: T;
}

/** Attaches the list that collects the hooks of a new transaction. */
export function keepEndings(em: EntityManager, hooks: Ending[]): void {
  if (em.queryRunner) em.queryRunner.data[HOOKS] = hooks;
}

/** Runs the `beforeCommit` hooks of a transaction in lock order: those with `isLast` after all others. */
export async function writeEndings(hooks: readonly Ending[], now: () => Date): Promise<void> {
  for (const { write, isLast } of hooks) if (isLast !== true) await write(now());
  for (const { write, isLast } of hooks) if (isLast === true) await write(now());
}

/** Registers hooks on the running transaction; see `Transactions.onCommit`. */
export function atEnd(em: EntityManager, hook: Ending): void {
  const hooks = em.queryRunner?.data[HOOKS] as Ending[] | undefined;
  if (hooks === undefined) throw new Error('Not inside a transaction of Transactions.run');
  hooks.push(hook);
}

/** `Transactions.transactionScoped` for callers that have only the EntityManager of the running transaction. */
export function gather<T>(em: EntityManager, name: string, create: () => Gathering<T>): T {
  const existing = em.queryRunner?.data[name] as T | undefined;
  if (existing !== undefined) return existing;
  const { gathered, ...hooks } = create();
  atEnd(em, hooks);
  if (em.queryRunner) em.queryRunner.data[name] = gathered;
  return gathered;
}
