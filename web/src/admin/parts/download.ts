import { CallboardError, type ErrorCode } from '@callboard/client';
import { callboard } from '../../shared/callboard';

export type ExportQuery = Record<string, string | number | boolean | null | undefined>;

export interface Download {
  /** Route of the export: `/api/admin/calls/export`. */
  path: string;
  /** Filters of the list. Filters without a value are left out. */
  query?: ExportQuery;
  /** Name of the file. Its extension, `csv` or `ndjson`, selects the format. */
  fileName: string;
}

interface Options {
  signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  onProgress: (bytes: number) => void;
}

/** How long the object URL is kept after the browser was asked to save the file. */
const KEEP_MS = 60_000;
const UNAUTHORIZED = 401;
const IS_FILE = /^(text\/csv|application\/x-ndjson)\b/;

/**
 * Downloads an export as the signed-in user, and has the browser save it once it is complete. A broken connection
 * leaves no file (docs/administration.md, "Exports"). The bytes stay out of the page's memory as far as the browser
 * allows.
 *
 * @throws {CallboardError} the service's error, or `network` when the connection broke; the signal's reason when it was
 * aborted
 */
export async function download(wanted: Download, options: Options): Promise<void> {
  const response = await open(wanted, options.signal);
  const bytes = response.body?.pipeThrough(counting(options.onProgress));
  const file = await new Response(bytes).blob().catch((cause: unknown) => broken(options.signal, cause));
  save(file, wanted.fileName);
}

/** Sends the request. If the service rejects the token, refreshes it and retries once. */
async function open({ path, query = {}, fileName }: Download, signal: AbortSignal): Promise<Response> {
  const params = new URLSearchParams({ format: fileName.endsWith('.ndjson') ? 'ndjson' : 'csv' });
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  for (let mayRenew = true; ; mayRenew = false) {
    const token = await callboard.session.token();
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${path}?${params}`, { headers, signal }).catch((cause: unknown) =>
      broken(signal, cause),
    );
    if (IS_FILE.test(response.headers.get('Content-Type') ?? '')) return response;
    const error = await toError(response);
    if (error.code !== UNAUTHORIZED || !mayRenew || !(await callboard.session.refused(token))) throw error;
  }
}

function broken(signal: AbortSignal, cause: unknown): never {
  signal.throwIfAborted();
  throw new CallboardError('network', undefined, { cause });
}

/** Reads the error from the envelope. It precedes the first row, whatever the status code is. */
async function toError(response: Response): Promise<CallboardError> {
  const { status, headers } = response;
  const details = { status, requestId: headers.get('X-Request-Id') ?? undefined };
  const envelope = (await response.json().catch(() => ({}))) as { code?: ErrorCode; message?: string };
  return new CallboardError(envelope.code ?? 'not_callboard', envelope.message, details);
}

function counting(onProgress: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
}

/** Has the browser save a file that the page has created. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
