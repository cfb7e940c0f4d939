import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/**
 * Returns true if no response can be sent any more: a 503 was sent after the time-out, or the client has disconnected.
 */
export type RequestAborted = () => boolean;

/** `@IsAborted() isAborted: RequestAborted`, for work that must not be done if its client does not get the result. */
export const IsAborted = createParamDecorator((_: unknown, context: ExecutionContext): RequestAborted => {
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  return () => reply.sent || reply.raw.destroyed;
});
