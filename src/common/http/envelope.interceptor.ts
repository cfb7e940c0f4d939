import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Catalogues } from '../i18n/catalogues';
import type { MessageKey, MessageCatalogue } from '../i18n/catalogue';
import { PageResponse } from './page';
import { WithHeaders } from './with-headers';

/** Returns the envelope of a successful response (API 1.1). */
export const success = (
  data: unknown,
  { messages }: MessageCatalogue,
  message: MessageKey = 'done',
): { code: 0; message: string; data: unknown } => ({
  code: 0,
  message: messages[message],
  data: data ?? null,
});

/**
 * Wraps the result of a handler as `{code: 0, message, data}` (API 1.1), and sets the headers of a `Page` or
 * `WithHeaders`. Routes with `@RawResponse()` are sent unchanged; the shape of a result is never used to decide this.
 * Errors pass through to `EnvelopeFilter`.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly languages: Catalogues) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    // Read from Fastify's route config, which needs no metadata lookup per request.
    const { isRaw, successMessage } = reply.routeOptions.config;
    const results = next.handle();
    return isRaw
      ? results
      : results.pipe(map((result) => wrap(reply, result, this.languages.for(reply.request), successMessage)));
  }
}

function wrap(
  reply: FastifyReply,
  result: unknown,
  catalogue: MessageCatalogue,
  message: MessageKey | undefined,
): object {
  const data: unknown = result instanceof WithHeaders ? result.data : result;
  if (result instanceof WithHeaders) void reply.headers(result.headers);
  if (data instanceof PageResponse) void reply.headers(data.headers);
  return success(data, catalogue, message);
}
