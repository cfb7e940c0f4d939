const CHUNK = 500;

/** `items` in slices that fit one statement of many rows. */
export function* inChunks<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK);
}
