import { say, type Saying, type Words } from '../words/words';
import { ZH_CN } from '../words/zh-cn';
import { ERRORS, type ErrorKey, type ErrorSpec } from './error-catalogue';

/**
 * An expected refusal, named by its row of the catalogue. `message` replaces the row's own where the contract
 * gives a fuller one (`name 字段不能为空`, `设备不存在: 7, 9`).
 */
export class BusinessError extends Error {
  readonly spec: ErrorSpec;
  readonly #saying: Saying;

  constructor(
    readonly key: ErrorKey,
    options: { message?: Saying; cause?: unknown; retryAfterSeconds?: number; reason?: string } = {},
  ) {
    const saying = options.message ?? (({ errors }: Words) => errors[key]);
    super(say(ZH_CN, saying), { cause: options.cause });
    this.#saying = saying;
    this.name = 'BusinessError';
    this.spec = ERRORS[key];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }

  /** For 429: after how many seconds another try makes sense. */
  readonly retryAfterSeconds?: number;

  /** Of a 401: which one of few it is, for the log and the metrics; the answer does not tell it (contract 18.1). */
  readonly reason?: string;

  /** What it says to people, in one language; `message` has it in the specification's. */
  textIn(words: Words): string {
    return say(words, this.#saying);
  }
}

/** The 422 of contract 1.3: which field, and what is wrong with it. */
export const invalidField = (field: string, problem: Saying): BusinessError =>
  new BusinessError('VALIDATION', { message: (words) => `${field} ${say(words, problem)}` });

/** The same of the whole body. */
export const invalidBody = (problem: Saying): BusinessError =>
  new BusinessError('VALIDATION', {
    message: (words) => [say(words, '请求体'), say(words, problem)].join(' '),
  });
