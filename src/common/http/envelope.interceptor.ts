import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Page } from './page';
import { RawResponse, SuccessMessage } from './response.decorators';
import { WithHeaders } from './with-headers';

const DEFAULT_MESSAGE = '操作成功';

/** The envelope of a success (contract 1.1). */
export const success = (
  data: unknown,
  message = DEFAULT_MESSAGE,
): { code: 0; message: string; data: unknown } => ({ code: 0, message, data: data ?? null });

/** Wraps every answer once as `{code: 0, message, data}`; a route that must not be wrapped says `@RawResponse()`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(RawResponse, places)) return next.handle();
    const message = this.reflector.getAllAndOverride(SuccessMessage, places);
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        const hasHeaders = answer instanceof WithHeaders;
        const data: unknown = hasHeaders ? answer.data : answer;
        if (hasHeaders) void reply.headers(answer.headers);
        if (data instanceof Page) void reply.headers(data.headers);
        return success(data, message);
      }),
    );
  }
}
