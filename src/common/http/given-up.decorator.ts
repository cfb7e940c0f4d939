import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Whether nobody waits for the answer any more: a 503 was sent because time was up, or the client has gone. */
export type GivenUp = () => boolean;

/** `@IsGivenUp() isGivenUp: GivenUp`, for work that must not be done unseen. */
export const IsGivenUp = createParamDecorator((_: unknown, context: ExecutionContext): GivenUp => {
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  return () => reply.sent || reply.raw.destroyed;
});
