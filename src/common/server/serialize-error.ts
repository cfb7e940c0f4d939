/**
 * A type, not an interface: the types of Fastify's logger require an index signature, which only a type satisfies
 * implicitly.
 */
type LoggedError = {
  type: string;
  message: string;
  code?: unknown;
  stack: string;
  cause?: LoggedError;
};

/**
 * Returns the logged properties of an error: type, message, code, stack and cause. All other properties are omitted, in
 * particular the parameters of a failed query, which contain user content and secrets.
 */
export function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  const { name, message, stack = '', cause } = error;
  return {
    type: name,
    message,
    code: (error as { code?: unknown }).code,
    stack,
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  };
}
