import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config';
import { AuthRefusals } from '../auth/auth-refusals';
import { Catalogues } from '../i18n/catalogues';
import { OutageDetector } from './outage-detector';
import { toBusinessError } from './to-business-error';

declare module 'fastify' {
  interface FastifyReply {
    /** HTTP status of the error, also if the response has the status 200 (`HTTP_STATUS_MODE`). */
    errorStatus?: number;
  }
  interface FastifyContextConfig {
    /** Errors have their HTTP status whatever `HTTP_STATUS_MODE` is, because the protocol of the route requires it. */
    keepsStatus?: boolean;
  }
}

/** The only place that converts errors to responses: `{code, message, data: null}` (API 1.1, 1.3). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly outages: OutageDetector,
    private readonly languages: Catalogues,
    private readonly refusals: AuthRefusals,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = toBusinessError(thrown, this.outages);
    const { code, status } = error.spec;

    reply.errorStatus = status;
    if (status === 401) this.refusals.note(request, error);
    // A 503 without a cause is load shedding, which is logged once per 10 s and not per request. A request that finds
    // the database unavailable after its time-out has already been answered with a 503, so its error is not logged
    // here.
    if (error.key === 'INTERNAL' || (status >= 500 && error.cause !== undefined && !reply.sent))
      request.log.error({ err: error.cause ?? error }, 'request failed');
    if (reply.sent) return;
    if (error.retryAfterSeconds !== undefined) void reply.header('Retry-After', error.retryAfterSeconds);
    // The rest of an oversized body is not read, so the connection cannot be reused.
    if (error.key === 'BODY_TOO_LARGE') void reply.header('Connection', 'close');
    const isAlwaysOk =
      this.config.httpStatusMode === 'always_200' && request.routeOptions.config.keepsStatus !== true;
    void reply
      .status(isAlwaysOk ? 200 : status)
      .type('application/json; charset=utf-8')
      .send({ code, message: error.translate(this.languages.for(request)), data: null });
  }
}
