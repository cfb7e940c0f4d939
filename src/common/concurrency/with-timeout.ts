/**
 * Returns the result of `work`, or fails after a time-out. A later result or error of `work` is ignored.
 * @throws {Error} `timed out after {ms} ms`; the error of `work`
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${ms} ms`)), ms);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
