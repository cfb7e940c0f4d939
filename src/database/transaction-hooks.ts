import type { EntityManager } from 'typeorm';

/** Key in the data of a transaction's query runner. */
const HOOKS = 'hooks';

/** Hooks that a part of a transaction registers for its end. */
export interface TransactionHooks {
  /**
   * Runs before the commit, after all other writes, and resolves when its statements are sent: the next hook may follow.
   * Results that the hook does not need are left to `pipeline`. `now`: the time at which the transaction
   * ends.
   */
  beforeCommit?: (now: Date) => Promise<void>;
  /** Runs after the commit. Must not throw. */
  afterCommit?: () => void;
  /**
   * Runs `beforeCommit` after that of all other hooks, because it locks rows that very many transactions write.
   * Default: the order of registration.
   */
  isLast?: boolean;
}

/** Hooks with a value that parts of the transaction add to until its end. */
export interface TransactionScoped<T> extends TransactionHooks {
  value: T;
}

/** Attaches the list that collects the hooks of a new transaction. */
export function setHooks(em: EntityManager, hooks: TransactionHooks[]): void {
  if (em.queryRunner) em.queryRunner.data[HOOKS] = hooks;
}

/** Runs the `beforeCommit` hooks of a transaction in lock order: those with `isLast` after all others. */
export async function runBeforeCommit(hooks: readonly TransactionHooks[], now: () => Date): Promise<void> {
  for (const { beforeCommit, isLast } of hooks) if (isLast !== true) await beforeCommit?.(now());
  for (const { beforeCommit, isLast } of hooks) if (isLast === true) await beforeCommit?.(now());
}

/**
 * Registers hooks that run before and after the commit of the running transaction.
 * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
 */
export function onCommit(em: EntityManager, hook: TransactionHooks): void {
  const hooks = em.queryRunner?.data[HOOKS] as TransactionHooks[] | undefined;
  if (hooks === undefined) throw new Error('Not inside a transaction of Transactions.run');
  hooks.push(hook);
}

/**
 * Returns the value that the running transaction keeps under a name. The first call creates it and registers its hooks
 * as `onCommit` does; later calls return the same value.
 * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
 */
export function transactionScoped<T>(em: EntityManager, name: string, create: () => TransactionScoped<T>): T {
  const existing = em.queryRunner?.data[name] as T | undefined;
  if (existing !== undefined) return existing;
  const { value, ...hooks } = create();
  onCommit(em, hooks);
  if (em.queryRunner) em.queryRunner.data[name] = value;
  return value;
}
