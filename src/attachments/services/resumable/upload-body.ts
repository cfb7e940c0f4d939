import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { limitTime } from '../upload-form';

/** Bytes after which a stage stops reading. The package adds stages of its own, each with a buffer of 64 KiB. */
const BUFFERED_BYTES = 16 * 1024;

/** The body of a request as `@tus/server` reads it. */
interface UploadBody {
  body: ReadableStream | null;
  /** Stops reading. The rest of the request is discarded, so that the client can read the response. */
  close: () => void;
}

/**
 * Opens the body of a request. It fails if the connection breaks, if no byte arrives for `uploadSilenceMs`, or after
 * `uploadWithinMs`; the connection remains open for the response.
 * @param request undefined: the request has no bytes of a file
 */
export function openBody(request: IncomingMessage | undefined): UploadBody {
  if (request === undefined) return { body: null, close: () => undefined };
  const bytes = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  const cut = (): void => void bytes.destroy(new Error('The upload was cut'));
  const endLimits = limitTime(request, cut);
  request.once('end', () => request.off('close', cut));
  request.on('error', cut).once('close', cut);
  bytes.on('error', () => undefined);
  request.pipe(bytes);
  return {
    body: Readable.toWeb(bytes, {
      strategy: new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES }),
    }) as ReadableStream,
    close: () => {
      endLimits();
      request.off('close', cut).unpipe(bytes);
      bytes.destroy();
      request.resume();
    },
  };
}
