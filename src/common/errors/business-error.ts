import { ERRORS, type ErrorKey, type ErrorSpec } from './error-catalogue';

/**
 * An expected refusal, named by its row of the catalogue. `message` replaces the row's own where the contract
 * gives a fuller one (`name 字段不能为空`, `设备不存在: 7, 9`).
 */
export class BusinessError extends Error {
  readonly spec: ErrorSpec;

  constructor(
    readonly key: ErrorKey,
    options: { message?: string; cause?: unknown; retryAfterSeconds?: number; reason?: string } = {},
  ) {
    super(options.message ?? ERRORS[key].message, { cause: options.cause });
    this.name = 'BusinessError';
    this.spec = ERRORS[key];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }

  /** For 429: after how many seconds another try makes sense. */
  readonly retryAfterSeconds?: number;

  /** Of a 401: which one of few it is, for the log and the metrics; the answer does not tell it (contract 18.1). */
  readonly reason?: string;
}

/** The 422 of contract 1.3: which field, and what is wrong with it. */
export const invalidField = (field: string, problem: string): BusinessError =>
  new BusinessError('VALIDATION', { message: `${field} ${problem}` });
