import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config';
import { AuthRefusals } from '../auth/auth-refusals';
import { Languages } from '../words/languages';
import { OutageDetector } from './outage-detector';
import { toBusinessError } from './to-business-error';

declare module 'fastify' {
  interface FastifyReply {
    /** The HTTP status of the error that this answer is about, whatever status it travels with. */
    errorStatus?: number;
  }
}

/** The only place where an error becomes an answer: `{code, message, data: null}` (contract 1.1, 1.2). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly outages: OutageDetector,
    private readonly languages: Languages,
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
    // An instance that refuses work logs that once, not with each request. Work that is late and then finds the database away
    // was answered 503 already, and logged by that.
    if (error.key === 'INTERNAL' || (status >= 500 && error.cause !== undefined && !reply.sent))
      request.log.error({ err: error.cause ?? error }, 'request failed');
    if (reply.sent) return;
    if (error.retryAfterSeconds !== undefined) void reply.header('Retry-After', error.retryAfterSeconds);
    // The rest of an oversized body is not read, so the connection cannot be used again.
    if (error.key === 'BODY_TOO_LARGE') void reply.header('Connection', 'close');
    void reply
      .status(this.config.httpStatusMode === 'always_200' ? 200 : status)
      .type('application/json; charset=utf-8')
      .send({ code, message: error.textIn(this.languages.for(request)), data: null });
  }
}
