import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Streamed bytes after which the buffers that contained them are freed. V8 itself does that after 32 MiB, because a buffer
 * of 64 KiB is a small object on its heap. More often would cost more time than the copies.
 */
const COLLECT_AFTER_BYTES = 8 * 1024 * 1024;
/**
 * Growth of all buffers after which the old ones are freed too: those that waited for a slow connection or disk while the
 * young ones were freed.
 */
const MAX_GROWTH_BYTES = 20 * 1024 * 1024;

/** `gc` of V8: without options it collects the whole heap. */
type Collect = (options?: { type: 'minor'; execution: 'sync' }) => void;

let collect: Collect | undefined;
let streamed = 0;
/** Lowest size of all buffers since the old ones were freed. */
let lowest = Infinity;

/** Counts bytes of a file that passed through memory, and frees the buffers of earlier ones. */
export function countStreamed({ length }: Buffer): void {
  streamed += length;
  if (streamed < COLLECT_AFTER_BYTES) return;
  streamed = 0;
  const { arrayBuffers } = process.memoryUsage();
  lowest = Math.min(lowest, arrayBuffers);
  const isGrown = arrayBuffers - lowest > MAX_GROWTH_BYTES;
  if (isGrown) lowest = Infinity;
  collect ??= loadCollector();
  if (isGrown) collect();
  else collect({ type: 'minor', execution: 'sync' });
}

/** Counts the bytes of a stream, which is returned as it is: paused until a reader is attached to it. */
export const counted = <T extends Readable>(stream: T): T => stream.on('data', countStreamed).pause();

/** Returns the function `gc` of V8, without exposing it to the rest of the process. */
function loadCollector(): Collect {
  // A busy machine would run the thread that frees buffers too late.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
