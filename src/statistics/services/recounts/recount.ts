import type { EntityManager } from 'typeorm';
import type { FigureDrift } from '../../rules/drift';

/** Rows that are read with one statement. */
export const PAGE = 1_000;

/** Counts something anew, once. */
export interface Recount {
  name: string;
  /** Counts what will not change any more, with as many short reads as it takes. */
  prepare(): Promise<void>;
  /**
   * Counts the rest at one moment, and says by how much the stored figures differ. It changes nothing, and may be asked
   * again.
   * @returns undefined where what was counted before does not hold any more
   */
  compare(em: EntityManager): Promise<FigureDrift[] | undefined>;
}
