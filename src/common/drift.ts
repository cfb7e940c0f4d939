/** A counter that does not say what the rows say. */
export interface Drift {
  /** Whose it is; undefined of one that is everybody's. */
  userId?: number;
  /** Which one, for people: `last_seq`, or `unread of "system", level 3, block 0`. */
  counter: string;
  stored: number;
  actual: number;
}
