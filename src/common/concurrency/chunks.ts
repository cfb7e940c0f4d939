const CHUNK = 500;

/** `items` in slices that fit one statement of many rows, or in others of `size`. */
export function* inChunks<T>(items: readonly T[], size = CHUNK): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
