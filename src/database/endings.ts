import type { EntityManager } from 'typeorm';

/** Where a transaction's query runner keeps them. */
const ENDINGS = 'endings';

/** What a part of a transaction leaves for its end. */
export interface Ending {
  /** The last writes, after all others; `now`: the moment at which the transaction ends. */
  write: (now: Date) => Promise<void>;
  /** What follows once everything is committed; it must not throw. */
  committed?: () => void;
  /** It is written after all others, since it locks rows that very many transactions write. By default in the order of the calls. */
  isLast?: boolean;
}

/** What parts of a transaction add to until its end. */
export interface Gathering<T> extends Ending {
  gathered: T;
}

/** Gives a transaction that begins the list that its endings go into. */
export function keepEndings(em: EntityManager, endings: Ending[]): void {
  if (em.queryRunner) em.queryRunner.data[ENDINGS] = endings;
}

/** Writes what was left for the end of a transaction, in the order in which locks are taken there. */
export async function writeEndings(endings: readonly Ending[], now: () => Date): Promise<void> {
  for (const { write, isLast } of endings) if (isLast !== true) await write(now());
  for (const { write, isLast } of endings) if (isLast === true) await write(now());
}

/** `Transactions.atEnd`. */
export function atEnd(em: EntityManager, ending: Ending): void {
  const endings = em.queryRunner?.data[ENDINGS] as Ending[] | undefined;
  if (endings === undefined) throw new Error('Not inside a transaction of Transactions.run');
  endings.push(ending);
}

/** `Transactions.gather`, for those who have nothing but the running transaction. */
export function gather<T>(em: EntityManager, name: string, begin: () => Gathering<T>): T {
  const known = em.queryRunner?.data[name] as T | undefined;
  if (known !== undefined) return known;
  const { gathered, ...ending } = begin();
  atEnd(em, ending);
  if (em.queryRunner) em.queryRunner.data[name] = gathered;
  return gathered;
}
