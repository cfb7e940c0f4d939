import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestBody } from './request-body';

/**
 * `@CsvBody() file: Buffer`: the body sent as `text/csv`, at most 1 MiB, not parsed.
 * @throws {BusinessError} BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export const CsvBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return body instanceof RequestBody ? body.csv() : Buffer.alloc(0);
});
