import { onAbort, pause } from '../environment.js';
import { CallboardError, throwIfAborted } from '../errors.js';
import type { Language } from '../service-message.js';
import { uniqueId } from '../unique-id.js';
import { type UnwrappedResponse, unwrapEnvelope } from './envelope.js';
import { type RawResponse, sendByFetch, sendByXhr } from './raw-request.js';
import type { RequestOptions } from './options.js';
import { mayBeExecuted, mayRepeat, waitBeforeRetry } from './retry.js';

/** Source of bearer tokens. */
export interface TokenSource {
  /** The user whose tokens these are; null if no user is signed in, undefined if the source does not know the user. */
  readonly user?: { id: number } | null;
  /** Returns the current token. @throws {CallboardError} `signed_out` if there is none */
  token(): Promise<string>;
  /** Called when the service rejected a token (401). Returns whether another token can be tried. */
  refused(token: string): Promise<boolean>;
}

export interface TransportOptions {
  /** URL of the service: `https://callboard.example`. In a page of its own origin: ''. */
  baseUrl: string;
  fetch?: typeof fetch;
  /** Language of the service's messages, sent as `Accept-Language`. */
  language?: Language;
  /** Time-out of one attempt, in milliseconds. Default: 30 000. */
  timeout?: number;
}

/** The parts of a request of any operation. */
export interface RequestParts extends RequestOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
  /** Lets the request finish after the page is left, because the next page needs its cookie. */
  keepalive?: boolean;
  /**
   * Id of the user as whom the request may be sent. Fails with `signed_out` when another user has signed in. Default: the user
   * at the time of the call.
   */
  userId?: number;
}

/** The parts of a request with bytes. */
export interface RawParts {
  method: string;
  headers?: Record<string, string>;
  body?: Blob | FormData;
  signal?: AbortSignal;
  /** Id of the user as whom the request may be sent, with the default of `RequestParts`. */
  userId?: number;
  /** Called with the bytes of the body that were sent, where the environment reports them: in browsers and React Native. */
  onProgress?: (sentBytes: number) => void;
}

const TIMEOUT_MS = 30_000;
const NOT_FOUND = 404;

/**
 * Sends requests and unwraps their envelopes. Repeats a request that may be sent again if there was no response or the service
 * was overloaded; a creating request carries the same `Idempotency-Key` each time. Replaces a rejected token once.
 */
export class Transport {
  readonly baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #hasOwnFetch: boolean;
  readonly #language: Language | undefined;
  readonly #timeout: number;
  /** Set by the client that owns this transport. */
  tokens: TokenSource | undefined;

  constructor({ baseUrl, fetch: customFetch, language, timeout = TIMEOUT_MS }: TransportOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    // Browsers require `fetch` to be called on the global object.
    this.#fetch = customFetch ?? ((...args) => globalThis.fetch(...args));
    this.#hasOwnFetch = customFetch !== undefined;
    this.#language = language;
    this.#timeout = timeout;
  }

  /** Id of the signed-in user; undefined if there is none, or the token source does not know the user. */
  get userId(): number | undefined {
    return this.tokens?.user?.id;
  }

  /**
   * Sends one operation.
   * @param operation a row of `OPERATIONS`: `placeCall POST /api/calls key`
   * @throws {CallboardError} the service's error, or the reason why there is no response; `signed_out` when another user signs
   * in meanwhile
   * @throws {unknown} the signal's reason, if it aborted
   */
  async send<T>(operation: string, parts: RequestParts = {}): Promise<UnwrappedResponse<T>> {
    const [id = '', method = '', path = '', ...flags] = operation.split(' ');
    const isFile = flags.includes('csv');
    const headers = this.#buildHeaders(parts, { takesKey: flags.includes('key'), isFile });
    const repeatable = mayRepeat(id, method, flags.includes('key'));
    const tokens = flags.includes('public') ? undefined : this.tokens;
    const url = this.baseUrl + fillPath(path, parts.path) + serializeQuery(parts.query);
    const body = serializeBody(parts.body, isFile);
    const { keepalive = false } = parts;
    let userId = parts.userId ?? tokens?.user?.id;
    let mayRenew = true;
    let mayBeDeleted = false;
    for (let attempt = 0; ; attempt += 1) {
      throwIfAborted(parts.signal);
      const token = await tokenOf(tokens, userId);
      userId ??= tokens?.user?.id;
      try {
        return await this.#attempt<T>(
          url,
          { method, body, keepalive, headers: { ...headers, ...bearer(token) } },
          parts.signal,
        );
      } catch (error) {
        if (!(error instanceof CallboardError)) throw error;
        if (error.code === 401 && token !== undefined && mayRenew && (await tokens?.refused(token))) {
          mayRenew = false;
          continue;
        }
        // A previous attempt whose response was lost has deleted the object.
        if (error.code === NOT_FOUND && mayBeDeleted) return { data: null as T, cursor: undefined };
        const wait = waitBeforeRetry(error, attempt, repeatable);
        if (wait === undefined) throw error;
        mayBeDeleted ||= method === 'DELETE' && mayBeExecuted(error);
        await pause(wait, parts.signal);
      }
    }
  }

  /**
   * Sends one request with bytes and returns the response whatever its status is. Replaces a rejected token once, and does not
   * retry otherwise.
   * @throws {CallboardError} `network` or `timeout` if there is no response, `signed_out`
   * @throws {unknown} the signal's reason, if it aborted
   */
  async sendRaw(path: string, { headers, userId, ...parts }: RawParts): Promise<RawResponse> {
    const { signal, onProgress } = parts;
    let sender = userId ?? this.userId;
    // Only XMLHttpRequest reports the progress of a body. A `fetch` of the caller is always used.
    const canReport = globalThis.XMLHttpRequest !== undefined && !this.#hasOwnFetch;
    for (let mayRenew = true; ; mayRenew = false) {
      throwIfAborted(signal);
      const token = await tokenOf(this.tokens, sender);
      sender ??= this.userId;
      throwIfAborted(signal);
      const request = {
        ...parts,
        url: this.baseUrl + path,
        headers: {
          ...this.#buildHeaders({}, { takesKey: false, isFile: false }),
          ...headers,
          ...bearer(token),
        },
      };
      const response =
        canReport && onProgress !== undefined
          ? await sendByXhr(request)
          : await sendByFetch(this.#fetch, request);
      const isRefused = token !== undefined && isUnauthorized(response);
      if (!isRefused || !mayRenew || !(await this.tokens?.refused(token))) return response;
    }
  }

  /** Opens a response whose body the caller reads: the event stream. Does not retry. @throws {CallboardError} `network` */
  async open(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(this.baseUrl + path, {
        credentials: 'same-origin',
        cache: 'no-store',
        ...init,
      });
    } catch (cause) {
      throwIfAborted(init.signal ?? undefined);
      throw new CallboardError('network', undefined, { cause });
    }
  }

  async #attempt<T>(
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
  ): Promise<UnwrappedResponse<T>> {
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    const stopListening = onAbort(signal, abort);
    const timer = setTimeout(abort, this.#timeout);
    try {
      const response = await this.#fetch(url, {
        ...init,
        credentials: 'same-origin',
        cache: 'no-cache',
        signal: ending.signal,
      });
      return unwrapEnvelope<T>(response, await response.text());
    } catch (cause) {
      if (cause instanceof CallboardError) throw cause;
      throwIfAborted(signal);
      throw new CallboardError(ending.signal.aborted ? 'timeout' : 'network', undefined, { cause });
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  #buildHeaders(
    { body, headers = {}, idempotencyKey }: RequestParts,
    { takesKey, isFile }: { takesKey: boolean; isFile: boolean },
  ): Record<string, string> {
    const definedHeaders = Object.entries(headers).filter(([, value]) => value !== undefined);
    return {
      ...(body === undefined ? {} : { 'Content-Type': isFile ? 'text/csv' : 'application/json' }),
      ...(this.#language === undefined ? {} : { 'Accept-Language': this.#language }),
      ...(takesKey && !hasKeyInBody(body) ? { 'Idempotency-Key': idempotencyKey ?? uniqueId() } : {}),
      ...Object.fromEntries(definedHeaders.map(([name, value]) => [name, String(value)])),
    };
  }
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

/** Returns a token of the user `userId`, or of any user. @throws {CallboardError} `signed_out` if another user has signed in */
async function tokenOf(
  tokens: TokenSource | undefined,
  userId: number | undefined,
): Promise<string | undefined> {
  const token = await tokens?.token();
  const isOfAnotherUser = userId !== undefined && tokens?.user !== undefined && tokens.user?.id !== userId;
  if (isOfAnotherUser) throw new CallboardError('signed_out');
  return token;
}

/** Whether a response rejects the token; with `HTTP_STATUS_MODE=always_200` only the envelope shows it. */
function isUnauthorized(response: RawResponse): boolean {
  if (response.status === 401) return true;
  return response.status === 200 && /^\s*\{\s*"code"\s*:\s*401\b/.test(response.text);
}

/** Whether the body of a call or message contains its idempotency key. The service rejects two different keys. */
function hasKeyInBody(body: unknown): boolean {
  const { client_msg_id, request_id } = (body ?? {}) as Record<string, unknown>;
  return Boolean(client_msg_id ?? request_id);
}

function serializeBody(body: unknown, isFile: boolean): BodyInit | undefined {
  if (isFile) return body as BodyInit | undefined;
  return body === undefined ? undefined : JSON.stringify(body);
}

const fillPath = (path: string, values: Record<string, unknown> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));

/** Lists are sent as one pair per element. */
function serializeQuery(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((item): [string, unknown] => [name, item]))
    .filter(([, value]) => value !== undefined && value !== null);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&')}`;
}
