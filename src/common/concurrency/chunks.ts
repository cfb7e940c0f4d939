const CHUNK = 500;

/** Yields `items` in slices of `size`; the default fits one multi-row statement. */
export function* inChunks<T>(items: readonly T[], size = CHUNK): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
