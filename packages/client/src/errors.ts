import { ENGLISH, type ServiceErrorCode } from './generated/errors.gen.js';

/**
 * What goes wrong on this side of the service:
 *
 * - `network`: no connection, or it broke; `timeout`: no answer in time
 * - `not_callboard`: an answer that is none of the service's, such as a proxy's page
 * - `signed_out`: nobody is signed in, or the session is over
 * - `needs_https`: a page over plain http may use neither camera nor microphone
 * - `media_refused`, `media_missing`, `media_busy`: camera or microphone is not allowed, not there, in use elsewhere
 * - `media_failed`: the media provider could not be reached, or is not set up
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

export type Language = 'zh-CN' | 'en';

const OWN_TEXTS: Record<ClientErrorCode, Record<Language, string>> = {
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
  /** The HTTP status; 0 where there was no answer. */
  status?: number;
  requestId?: string;
  retryAfter?: number;
  cause?: unknown;
}

/** Whatever this package refuses with. Branch on `code`; show `text(language)`. */
export class CallboardError extends Error {
  override readonly name = 'CallboardError';
  /** A row of docs/errors.md, or one of `ClientErrorCode`. */
  readonly code: ErrorCode;
  /** The HTTP status of the answer; 0 where there was none. */
  readonly status: number;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** After how many seconds the service wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message?: string, { status = 0, requestId, retryAfter, cause }: Details = {}) {
    super(message ?? OWN_TEXTS[code as ClientErrorCode]?.en ?? `Error ${code}`, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    if (this.code === 'not_callboard') return this.status >= 500;
    return this.code === 429 || this.code === 503 || this.code === 'network' || this.code === 'timeout';
  }

  /** What to tell people. Texts of the service are translated from Chinese, its specification's language. */
  text(language: Language): string {
    const own = OWN_TEXTS[this.code as ClientErrorCode];
    if (own !== undefined) return own[language];
    return language === 'en' ? inEnglish(this.message) : this.message;
  }
}

/** `name 字段不能为空` → `name must not be empty`; what is not known stays as it is. */
function inEnglish(message: string): string {
  const whole = translated(message);
  if (whole !== undefined) return whole;
  const space = message.indexOf(' ');
  const field = message.slice(0, space);
  const rest = translated(message.slice(space + 1));
  return rest === undefined ? message : `${ENGLISH.get(field) ?? field} ${rest}`;
}

/** A sentence of the catalogue, in which `#` stands for numbers. */
function translated(sentence: string): string | undefined {
  const [numbers = ''] = /\d+(?:, \d+)*/.exec(sentence) ?? [];
  return ENGLISH.get(sentence) ?? ENGLISH.get(sentence.replace(numbers, '#'))?.replace('#', numbers);
}

/** @throws {unknown} the signal's reason, once it has aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw (signal.reason as unknown) ?? new Error('Aborted');
}
