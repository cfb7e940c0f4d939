import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { countStreamed } from '../../common/streamed-buffers';
import { TIMINGS } from '../../common/timings';

/** Fields besides the file: `type`, `duration`, and those that some clients add. Further ones are ignored. */
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 1_024;
/** Maximum size of a form without its file. */
const MAX_FORM_BYTES = 64 * 1024;
const MULTIPART = /^multipart\/form-data\s*;/i;

/** A received form. */
export interface UploadForm {
  fields: Record<string, string>;
  /** Name of the part `file`, whose bytes are complete in the draft; undefined if there was none. */
  file?: { name: string | undefined };
}

/**
 * Receives a `multipart/form-data` body and streams its part `file` to disk; at most some buffers of it are in memory.
 * An error leaves the rest of the body unread, so the connection cannot be reused.
 * @param draft path to write the file to; the caller deletes it
 * @param maxBytes maximum size of the file
 * @throws {BusinessError} UNSUPPORTED_MEDIA_TYPE; BODY_TOO_LARGE; VALIDATION (a second file, a malformed or incomplete
 *   form); BAD_REQUEST if no byte arrives for `uploadSilenceMs`, or the body takes longer than `uploadWithinMs`;
 *   UNAVAILABLE if the disk is full
 */
export async function receiveForm(
  request: IncomingMessage,
  draft: string,
  maxBytes: number,
): Promise<UploadForm> {
  const { headers } = request;
  if (!MULTIPART.test(headers['content-type'] ?? '')) throw new BusinessError('UNSUPPORTED_MEDIA_TYPE');
  if (Number(headers['content-length'] ?? 0) > maxBytes + MAX_FORM_BYTES)
    throw new BusinessError('BODY_TOO_LARGE');
  const form: UploadForm = { fields: {} };
  const parser = openParser(headers as BusboyHeaders, maxBytes);
  const { promise: received, resolve, reject } = Promise.withResolvers<void>();
  const abort = new AbortController();
  let writing: Promise<void> | undefined;
  let failure: BusinessError | undefined;
  const fail = (error: BusinessError): void => {
    failure ??= error;
    reject(failure);
    abort.abort();
  };

  parser.on('field', (name: string, value: string) => {
    if (Object.keys(form.fields).length < MAX_FIELDS) form.fields[name] = value;
  });
  parser.on('file', (name: string, part: Readable, fileName: string | undefined) => {
    // Its error is also the parser's.
    part.on('error', () => undefined);
    if (name !== 'file') return void part.resume();
    if (form.file !== undefined) {
      part.resume();
      return fail(invalidField('file', (catalogue) => catalogue.tooMany(1)));
    }
    form.file = { name: fileName };
    part.on('limit', () => fail(new BusinessError('BODY_TOO_LARGE')));
    writing = writeDraft(part, draft, abort.signal).catch((cause: unknown) =>
      fail(new BusinessError('UNAVAILABLE', { cause })),
    );
  });
  parser.on('finish', resolve);
  parser.on('error', () => fail(invalidField('file', 'invalid')));
  const isCut = (): void => fail(invalidField('file', 'invalid'));
  const endLimits = limitTime(request, () => fail(new BusinessError('BAD_REQUEST')));
  // A complete request is closed too, before its last bytes are on the disk.
  request.once('end', () => request.off('close', isCut));
  request.on('error', isCut).once('close', isCut);
  // Not `pipeline`, which would close the connection on an error, before the response is sent.
  request.pipe(parser);
  try {
    await received;
  } finally {
    endLimits();
    request.off('close', isCut).unpipe(parser);
    // The rest is discarded, so that the client can read the response.
    request.resume();
    await writing;
  }
  // The last bytes of the file are written after the end of the form.
  if (failure !== undefined) throw failure;
  return form;
}

function writeDraft(part: Readable, draft: string, signal: AbortSignal): Promise<void> {
  return pipeline(part, createWriteStream(draft, { flags: 'wx', mode: 0o600 }), { signal });
}

/** @throws {BusinessError} VALIDATION if the header has no boundary */
function openParser(headers: BusboyHeaders, maxBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers,
      limits: {
        fileSize: maxBytes,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: MAX_FIELD_BYTES,
        headerSize: MAX_FORM_BYTES,
      },
    });
  } catch {
    throw invalidField('file', 'invalid');
  }
}

/** Counts the bytes of a body, and calls `onLate` when no byte has arrived for `uploadSilenceMs`, or after `uploadWithinMs`. */
export function limitTime(request: IncomingMessage, onLate: () => void): () => void {
  const total = setTimeout(onLate, TIMINGS.uploadWithinMs);
  const silence = setTimeout(onLate, TIMINGS.uploadSilenceMs);
  const noteBytes = (bytes: Buffer): void => {
    silence.refresh();
    countStreamed(bytes);
  };
  request.on('data', noteBytes);
  return () => {
    request.off('data', noteBytes);
    clearTimeout(total);
    clearTimeout(silence);
  };
}
