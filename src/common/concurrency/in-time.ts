/**
 * What `work` comes to, if it does so in time; what comes of it later is nobody's concern.
 * @throws {Error} `no answer`, after `ms` milliseconds; what `work` throws
 */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer')), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
