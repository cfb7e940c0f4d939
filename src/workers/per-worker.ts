/** Returns the part of a maximum of the service that each of its workers has; at least 1. */
export const perWorker = (maximum: number, workers: number): number =>
  Math.max(1, Math.floor(maximum / workers));
