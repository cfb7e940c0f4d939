/** A stored counter that differs from the count of its rows. */
export interface Drift {
  /** User of the counter; undefined for a counter that is not per user. */
  userId?: number;
  /** Readable name of the counter: `last_seq`, or `unread of "system"`. */
  counter: string;
  stored: number;
  actual: number;
}
