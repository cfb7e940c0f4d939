import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MAX_IP, MAX_USER_AGENT, type SessionEntity } from '../entities/session.entity';

/** The program that logs in or refreshes, as its owner will see it in the list of sessions. */
export interface SessionClient {
  /** Its address (behind a proxy by `TRUST_PROXY`). */
  address: string;
  /** `User-Agent`, where it sent one. */
  userAgent?: string;
}

/** `@FromClient() client: SessionClient` */
export const FromClient = createParamDecorator((_: unknown, context: ExecutionContext): SessionClient => {
  const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { address: ip, userAgent: headers['user-agent'] };
});

/** What a session's row keeps of its client. */
export const columnsOf = ({
  address,
  userAgent,
}: SessionClient): Pick<SessionEntity, 'ip' | 'user_agent'> => ({
  ip: address.slice(0, MAX_IP),
  user_agent: userAgent ? userAgent.slice(0, MAX_USER_AGENT) : null,
});
