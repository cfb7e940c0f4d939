const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const STEP = 1024;
const TENTHS = 10;

/** Returns a size as text: `512 B`, `1.5 MB`. */
export function formatBytes(bytes: number, toText: (value: number) => string): string {
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${toText(Math.round(value * TENTHS) / TENTHS)} ${UNITS[unit]}`;
}
