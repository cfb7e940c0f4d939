import type { CallerRequest } from './caller';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route counts only the requests that it rejects, and does so itself. */
    countedWhenRefused?: boolean;
  }
}

/** Counts requests for the guard. Implemented by `rate-limit`, which has the limits and depends on `common`. */
export abstract class RequestCounter {
  /**
   * Counts a request after its caller was authenticated, or could not be.
   * @throws {BusinessError} TOO_MANY_REQUESTS with the seconds until the next attempt can succeed
   */
  abstract count(request: CallerRequest): Promise<void>;
}
