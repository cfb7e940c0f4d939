import type { CallerRequest } from './caller';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route itself counts the requests that it refuses, and no others count. */
    countedWhenRefused?: boolean;
  }
}

/** Counts requests for the guard; `rate-limit` implements it, which knows the limits and leans on `common`. */
export abstract class RequestCounter {
  /**
   * Counts a request once it is known whose it is.
   * @throws {BusinessError} TOO_MANY_REQUESTS with the seconds until it is worth another try
   */
  abstract count(request: CallerRequest): Promise<void>;
}
