/**
 * Distinguishes an unavailable database (503) from a defect (500) (API 1.3). Implemented by `database`, which
 * knows the errors of the drivers and depends on `common`.
 */
export abstract class OutageDetector {
  /** Whether the thrown value means that the database is unavailable at the moment. */
  abstract isOutage(error: unknown): boolean;
}
