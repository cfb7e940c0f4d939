/**
 * Tells a database that cannot be used, which is a 503, from a defect, which is a 500 (contract 1.2). `database`
 * implements it, which knows what drivers throw and leans on `common`.
 */
export abstract class OutageDetector {
  /** Whether `error`, whatever was thrown, means that the database cannot be used at the moment. */
  abstract isOutage(error: unknown): boolean;
}
