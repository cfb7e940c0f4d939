/** Response of a bulk operation. `affected`: number of objects that it changed. */
export class AffectedResponse {
  affected!: number;
}

/** Response of a bulk operation on the objects that match a filter, which handles at most 500 of them per request. */
export class MatchingResponse extends AffectedResponse {
  /**
   * Number of objects that this request handled, including those that already had the values.
   * @example 500
   */
  matched!: number;
  /**
   * `after_id` of the next request; null: no more objects match.
   * @example 540
   */
  next_after_id!: number | null;
}

/** Maximum number of objects that one request on a filter handles, so that its locks are held briefly. */
export const MATCHING_BATCH_SIZE = 500;

/** @param ids the objects that the request handled, ascending */
export const toMatchingResponse = (ids: readonly number[], affected: number): MatchingResponse => ({
  affected,
  matched: ids.length,
  next_after_id: ids.length < MATCHING_BATCH_SIZE ? null : (ids.at(-1) ?? null),
});
