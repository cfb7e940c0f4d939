/** Returns the result of `work`; undefined if it throws. */
export function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
