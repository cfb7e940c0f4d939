const MAX_LEVELS = 100;
const MAX_LEVEL = 100;

/** Returns the levels of a waveform: at most 100 integers from 0 to 100, each the loudest sample of its part of the recording. */
export function toLevels(samples: readonly number[]): number[] {
  const count = Math.min(samples.length, MAX_LEVELS);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * samples.length) / count);
    const end = Math.floor(((index + 1) * samples.length) / count);
    return Math.min(MAX_LEVEL, Math.round(Math.max(0, ...samples.slice(start, end)) * MAX_LEVEL));
  });
}
