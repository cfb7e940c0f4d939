import type { FastifyRequest } from 'fastify';
import { MAX_IP, MAX_USER_AGENT, type SessionEntity } from '../entities/session.entity';

/** The client that logs in or refreshes, as shown in the user's list of sessions. */
export interface SessionClient {
  /** Client address (behind a proxy according to `TRUST_PROXY`). */
  address: string;
  /** The `User-Agent` header, if sent. */
  userAgent?: string;
}

/** Returns the client that sends a request. */
export const clientOf = ({ ip, headers }: FastifyRequest): SessionClient => ({
  address: ip,
  userAgent: headers['user-agent'],
});

/** Returns the columns of a session that describe its client, truncated to their lengths. */
export const columnsOf = ({
  address,
  userAgent,
}: SessionClient): Pick<SessionEntity, 'ip' | 'user_agent'> => ({
  ip: address.slice(0, MAX_IP),
  user_agent: userAgent ? userAgent.slice(0, MAX_USER_AGENT) : null,
});
