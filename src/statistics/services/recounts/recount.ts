import type { EntityManager } from 'typeorm';
import type { FigureDrift } from '../../rules/drift.rules';

/** Maximum number of rows read by one statement. */
export const PAGE = 1_000;

/** One recount of some metrics. An instance is used once. */
export interface Recount {
  name: string;
  /** Counts the rows that cannot change any more, in as many short reads as necessary. Absent if there are none. */
  prepare?(): Promise<void>;
  /**
   * Counts the remaining rows in the snapshot of `em`, and returns the metrics whose stored values differ. Writes
   * nothing, and may be called again.
   * @returns undefined when the rows counted by `prepare` are no longer valid
   */
  compare(em: EntityManager): Promise<FigureDrift[] | undefined>;
}
