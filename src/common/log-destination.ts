import pino, { type DestinationStream } from 'pino';
import type { Config } from '../config/config';

const STANDARD_OUTPUT = 1;
/** Lines are written in batches: one system call per line would cost more than everything else in logging. */
const BATCH_BYTES = 4_000;
/** Workers share the output: a full pipe may mix the lines of larger writes (PIPE_BUF). */
const MAX_WRITE_BYTES = 4_096;
const FLUSH_INTERVAL_MS = 100;
/** Size of the buffer while nothing can be written, for example to a full disk. Lines that do not fit are lost. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

let shared: DestinationStream | undefined;

/**
 * Returns standard output as the destination of log lines. If it cannot be written (full disk, closed pipe), the
 * service continues without a log, and resumes writing when possible. Shared by the process, because its flush timer
 * runs until the process ends.
 */
export const logDestination = (): DestinationStream => (shared ??= openStandardOutput());

function openStandardOutput(): DestinationStream {
  const destination = pino.destination({
    dest: STANDARD_OUTPUT,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    maxLength: MAX_BUFFERED_BYTES,
    maxWrite: MAX_WRITE_BYTES,
  });
  let isBroken = false;
  // Without a listener, an error would end the process.
  destination.on('error', () => (isBroken = true));
  destination.on('write', () => (isBroken = false));
  const flushSync = destination.flushSync.bind(destination);
  // pino calls this when the process exits, and would retry a failing write without end.
  destination.flushSync = () => {
    if (!isBroken) flushSync();
  };
  return destination;
}

/** Returns the destination of log lines: human-readable in development, otherwise JSON. */
export const logDestinationFor = ({
  mode,
}: Pick<Config, 'mode'>): Promise<DestinationStream> | DestinationStream =>
  mode === 'development' ? readableLogDestination() : logDestination();

/**
 * Returns standard output with human-readable lines. Imports `pino-pretty` here only, because production does not need
 * it.
 */
async function readableLogDestination(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  const style = { ignore: 'pid,hostname,reqId', singleLine: true, translateTime: 'HH:MM:ss' };
  return pretty({ ...style, destination: logDestination() });
}
