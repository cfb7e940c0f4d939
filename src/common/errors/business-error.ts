import { translate, type LocalizedMessage, type MessageCatalogue } from '../i18n/catalogue';
import { ZH_CN } from '../i18n/zh-cn';
import { ERRORS, type ErrorKey, type ErrorSpec } from './error-catalogue';

/**
 * An expected error, identified by its key in the catalogue. `message` replaces the message of the catalogue where the
 * rules of the API define a more detailed one (`name 字段不能为空`, `设备不存在: 7, 9`).
 */
export class BusinessError extends Error {
  readonly spec: ErrorSpec;
  readonly #localizedMessage: LocalizedMessage;

  constructor(
    readonly key: ErrorKey,
    options: {
      message?: LocalizedMessage;
      cause?: unknown;
      retryAfterSeconds?: number;
      reason?: string;
    } = {},
  ) {
    const localizedMessage = options.message ?? (({ errors }: MessageCatalogue) => errors[key]);
    super(translate(ZH_CN, localizedMessage), { cause: options.cause });
    this.#localizedMessage = localizedMessage;
    this.name = 'BusinessError';
    this.spec = ERRORS[key];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }

  /** Value of `Retry-After` in seconds, for a 429 or a 503. */
  readonly retryAfterSeconds?: number;

  /** Reason of a 401, from a fixed set, for the log and the metrics. Not part of the response (API 2.1). */
  readonly reason?: string;

  /** Returns the message in a language; `message` has it in Chinese, the default language. */
  translate(catalogue: MessageCatalogue): string {
    return translate(catalogue, this.#localizedMessage);
  }
}

/** Creates the 422 of API 1.4, with the name of the field and the violation. */
export const invalidField = (field: string, problem: LocalizedMessage): BusinessError =>
  new BusinessError('VALIDATION', { message: (catalogue) => `${field} ${translate(catalogue, problem)}` });

/** Creates the 422 for a violation of the whole request body. */
export const invalidBody = (problem: LocalizedMessage): BusinessError =>
  new BusinessError('VALIDATION', {
    message: (catalogue) => [translate(catalogue, 'requestBody'), translate(catalogue, problem)].join(' '),
  });
