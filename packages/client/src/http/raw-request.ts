import { onAbort } from '../environment.js';
import { CallboardError, throwIfAborted } from '../errors.js';

/** A request with bytes. */
export interface RawRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Blob | FormData;
  signal?: AbortSignal;
  onProgress?: (sentBytes: number) => void;
}

/** A response that was received completely. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The service ends an upload after this time, so a later response cannot arrive. */
const TIMEOUT_MS = 10 * 60_000;
/** Time without progress after which a connection is given up. The service closes silent uploads after 30 s. */
const SILENCE_MS = 60_000;

/** Sends a request with `fetch`, which reports no progress. @throws {CallboardError} `network`, `timeout` */
export async function sendByFetch(
  send: typeof fetch,
  { url, method, headers, body, signal }: RawRequest,
): Promise<RawResponse> {
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  const stopListening = onAbort(signal, abort);
  const timer = setTimeout(abort, TIMEOUT_MS);
  try {
    const response = await send(url, {
      method,
      headers,
      body,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: ending.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    throwIfAborted(signal);
    throw new CallboardError(ending.signal.aborted ? 'timeout' : 'network', undefined, { cause });
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

/** Sends a request with `XMLHttpRequest`, which reports the sent bytes. @throws {CallboardError} `network`, `timeout` */
export function sendByXhr({
  url,
  method,
  headers,
  body,
  signal,
  onProgress,
}: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    let isSilent = false;
    const giveUp = (): void => {
      isSilent = true;
      xhr.abort();
    };
    let silence = setTimeout(giveUp, SILENCE_MS);
    const fail = (): void =>
      reject(
        signal?.aborted
          ? ((signal.reason as Error | undefined) ?? new Error('Aborted'))
          : new CallboardError(isSilent ? 'timeout' : 'network'),
      );
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, SILENCE_MS);
      onProgress?.(loaded);
    });
    xhr.addEventListener('load', () =>
      resolve({
        status: xhr.status,
        headers: parseHeaders(xhr.getAllResponseHeaders()),
        text: xhr.responseText,
      }),
    );
    xhr.addEventListener('error', fail);
    xhr.addEventListener('abort', fail);
    const stopListening = onAbort(signal, () => xhr.abort());
    xhr.addEventListener('loadend', () => {
      clearTimeout(silence);
      stopListening();
    });
    xhr.send(body);
  });
}

/** Parses the lines of `getAllResponseHeaders`. */
function parseHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
