import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Languages } from '../words/languages';
import type { FixedText, Words } from '../words/words';
import { Page } from './page';
import { WithHeaders } from './with-headers';

/** The envelope of a success (contract 1.1). */
export const success = (
  data: unknown,
  { texts }: Words,
  message: FixedText = '操作成功',
): { code: 0; message: string; data: unknown } => ({ code: 0, message: texts[message], data: data ?? null });

/**
 * Wraps what a handler answers, once, as `{code: 0, message, data}` (contract 1.1), and sends the headers that belong to
 * it. A route says `@RawResponse()` where its answer leaves as it is; nothing is guessed from the answer's shape. Errors
 * pass: they are `EnvelopeFilter`'s.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly languages: Languages) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    // Part of Fastify's route: at hand, where a handler's metadata would be looked up for each request.
    const { isRaw, successMessage } = reply.routeOptions.config;
    const answers = next.handle();
    return isRaw
      ? answers
      : answers.pipe(map((answer) => wrap(reply, answer, this.languages.for(reply.request), successMessage)));
  }
}

function wrap(reply: FastifyReply, answer: unknown, words: Words, message: FixedText | undefined): object {
  const data: unknown = answer instanceof WithHeaders ? answer.data : answer;
  if (answer instanceof WithHeaders) void reply.headers(answer.headers);
  if (data instanceof Page) void reply.headers(data.headers);
  return success(data, words, message);
}
