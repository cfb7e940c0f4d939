import pino, { type DestinationStream } from 'pino';

const STANDARD_OUTPUT = 1;
/** Lines leave in batches: a system call for each would cost more than all the rest of logging. */
const BATCH_BYTES = 4_096;
const FLUSH_EVERY_MS = 100;
/** What waits for a disk to have space again; lines beyond it are lost. */
const MOST_WAITING_BYTES = 1024 * 1024;

let shared: DestinationStream | undefined;

/**
 * Standard output, for log lines. A service whose log cannot be written (a full disk, a reader that is gone) goes on
 * without it, and writes again when that is possible. One for the process: its timer for flushes runs until the process ends.
 */
export const logDestination = (): DestinationStream => (shared ??= openStandardOutput());

function openStandardOutput(): DestinationStream {
  const destination = pino.destination({
    dest: STANDARD_OUTPUT,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: MOST_WAITING_BYTES,
  });
  let isBroken = false;
  // Unheard, an error would end the process.
  destination.on('error', () => (isBroken = true));
  destination.on('write', () => (isBroken = false));
  const flushSync = destination.flushSync.bind(destination);
  // What pino does last when the process exits; it would try again for ever.
  destination.flushSync = () => {
    if (!isBroken) flushSync();
  };
  return destination;
}

/** Standard output, in lines for human eyes. What makes them is loaded only here: production needs none of it. */
export async function readableLogDestination(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  const style = { ignore: 'pid,hostname,reqId', singleLine: true, translateTime: 'HH:MM:ss' };
  return pretty({ ...style, destination: logDestination() });
}
