/** Between one look and the next, so that what ends meanwhile shares one. */
const SHORTEST_MS = 20;
const LONGEST_MS = 2_000;
/** For about so long an attempt, with its part of claiming and recording, keeps the event loop. */
const LOOP_MS_OF_ATTEMPT = 0.4;

/**
 * How long after a look the next one may come, 20 to 2,000 ms: as fast as receivers take it where nothing else is to do, and
 * the slower the less idle the instance is.
 * @param attempts that have ended since the last time this was asked
 * @param idleness the part of the time since then, above 0 and up to 1, in which the event loop had nothing to do
 */
export function restMs(attempts: number, idleness: number): number {
  // Of the time that nobody wants attempts take as large a part as that is of all: the database, too, is busy with others.
  const wantedMs = (attempts * LOOP_MS_OF_ATTEMPT) / idleness ** 2;
  return Math.min(Math.max(SHORTEST_MS, wantedMs), LONGEST_MS);
}
