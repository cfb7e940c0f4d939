/** What the service answers when it refuses something, or what stands for it when it did not answer at all. */
export class CallboardError extends Error {
  /** The envelope's `code`; 0 when there was no answer. */
  readonly code: number;
  /** Names the exchange in the service's log. */
  readonly requestId: string | undefined;
  /** After how many seconds another try makes sense. */
  readonly retryAfter: number | undefined;

  constructor(message: string, about: { code: number; requestId?: string; retryAfter?: number }) {
    super(message);
    this.name = 'CallboardError';
    this.code = about.code;
    this.requestId = about.requestId;
    this.retryAfter = about.retryAfter;
  }
}

/** Whatever was thrown, as an error that pages can show. */
export const toCallboardError = (error: unknown): CallboardError =>
  error instanceof CallboardError ? error : new CallboardError(String(error), { code: -1 });
