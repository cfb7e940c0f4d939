/**
 * Returns the result of `work`, or fails after a time-out. A later result or error of `work` is ignored.
 * @throws {Error} `no answer`, after `ms` milliseconds; the error of `work`
 */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer')), ms);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
