/** (A type, not an interface: Fastify's logger wants to know that it has no other keys.) */
type LoggedError = {
  type: string;
  message: string;
  code?: unknown;
  stack: string;
  cause?: LoggedError;
};

/**
 * An error as the log shows it: what it is and where it came from. Whatever else hangs on it stays out, above all the
 * parameters of a failed query, which hold what users wrote and what secrets were made of.
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
