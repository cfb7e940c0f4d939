import type { ServiceErrorCode, ServiceErrorKey } from './generated/errors.gen.js';
import {
  findOnlyKey,
  type Language,
  parseServiceMessage,
  renderServiceMessage,
  type ServiceMessage,
} from './service-message.js';

/**
 * Errors that originate in this package:
 *
 * - `network`: no connection, or it broke; `timeout`: no response within the time-out
 * - `not_callboard`: a response that is not from the service, such as a proxy's page
 * - `signed_out`: no user is signed in, or the session has ended
 * - `needs_https`: browsers deny camera and microphone to pages over plain http
 * - `media_refused`, `media_missing`, `media_busy`: camera or microphone is not allowed, not found, in use elsewhere
 * - `media_failed`: the media provider cannot be reached, or is not configured
 */
export type ClientErrorCode =
  | 'network'
  | 'timeout'
  | 'not_callboard'
  | 'signed_out'
  | 'needs_https'
  | 'media_refused'
  | 'media_missing'
  | 'media_busy'
  | 'media_failed';

export type ErrorCode = ServiceErrorCode | ClientErrorCode;

const CLIENT_TEXTS: Record<ClientErrorCode, Record<Language, string>> = {
  network: { en: 'The service cannot be reached', 'zh-CN': '无法连接服务' },
  timeout: { en: 'The service does not answer', 'zh-CN': '服务没有响应' },
  not_callboard: {
    en: 'Something else answered in place of the service',
    'zh-CN': '服务返回了无法识别的内容',
  },
  signed_out: { en: 'Please sign in', 'zh-CN': '请先登录' },
  needs_https: { en: 'Calls need a page over https', 'zh-CN': '通话需要通过 https 访问' },
  media_refused: { en: 'Camera or microphone is not allowed', 'zh-CN': '未获得摄像头或麦克风权限' },
  media_missing: { en: 'There is no camera or microphone', 'zh-CN': '未找到摄像头或麦克风' },
  media_busy: { en: 'Camera or microphone is in use elsewhere', 'zh-CN': '摄像头或麦克风被占用' },
  media_failed: { en: 'The media connection failed', 'zh-CN': '媒体连接失败' },
};

interface Details {
  /** The HTTP status; 0 if there was no response. */
  status?: number;
  requestId?: string;
  retryAfter?: number;
  cause?: unknown;
}

/** The error that this package throws. Branch on `code` and `key`; show `text(language)`. */
export class CallboardError extends Error {
  override readonly name = 'CallboardError';
  /** A code of docs/errors.md, or one of `ClientErrorCode`. */
  readonly code: ErrorCode;
  /**
   * Identifies the error more precisely than `code`: the key of docs/errors.md (`SERIAL_NO_TAKEN`), or the violation of a 422
   * (`EMPTY`, `INVALID`, `TOO_LONG`, …). Undefined for errors of this package, and for messages that it does not know.
   */
  readonly key: ServiceErrorKey | undefined;
  /** The field that a 422 names (`name`, `devices.0.name`); undefined if it names none. */
  readonly field: string | undefined;
  /** The numbers in the message: the unknown ids, or the exceeded limit. Empty if there are none. */
  readonly numbers: readonly number[];
  /** The HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next request, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  readonly #message: ServiceMessage | undefined;

  constructor(code: ErrorCode, message?: string, { status = 0, requestId, retryAfter, cause }: Details = {}) {
    super(message ?? CLIENT_TEXTS[code as ClientErrorCode]?.en ?? `Error ${code}`, { cause });
    this.code = code;
    this.#message = message === undefined ? undefined : parseServiceMessage(message);
    this.key = this.#message?.key ?? findOnlyKey(code);
    this.field = this.#message?.field;
    this.numbers = this.#message?.numbers.match(/\d+/g)?.map(Number) ?? [];
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    if (isRateLimited(this)) return true;
    if (this.code === 'not_callboard') return this.status >= 500;
    return this.code === 503 || this.code === 'network' || this.code === 'timeout';
  }

  /**
   * Returns the message for users in `language`. A message that this package does not know stays in the language of the
   * service.
   */
  text(language: Language): string {
    const texts = CLIENT_TEXTS[this.code as ClientErrorCode];
    if (texts !== undefined) return texts[language];
    return this.#message === undefined ? this.message : renderServiceMessage(this.#message, language);
  }
}

/**
 * Whether the request was rejected because of too many requests, and not executed. A response to HEAD, and that of a proxy, have
 * only the status.
 */
export const isRateLimited = ({ code, status }: CallboardError): boolean => code === 429 || status === 429;

/** Whether no user is signed in, or the token was rejected. Retrying does not help before the next log-in. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof CallboardError && (error.code === 401 || error.code === 'signed_out');

/** @throws {unknown} the signal's reason, if it has aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw (signal.reason as unknown) ?? new Error('Aborted');
}
