import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Subject } from 'rxjs';
import type { UserId } from '../ids';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who is asking: what the guards learned from the token. */
export interface Principal {
  id: UserId;
  /** The token's role decides, not the stored one (contract 1.6). */
  role: Role;
  /** When the token expires, in milliseconds since 1970: its verified `exp`. */
  expiresAt: number;
  /** The session of a token that log-in gave out; undefined for a foreign token. */
  sid?: string;
}

/** The claims of an accepted token that matter here (contract 1.6). */
export interface TokenClaims {
  sub: string;
  exp: number;
  role?: string;
  name?: string;
  picture?: string;
  /** The session it belongs to. Only tokens under `JWT_SECRET` have one: a provider's `sid` is its own affair. */
  sid?: string;
}

/** The way from a token to a user; the identity module implements it, so that `common` knows no feature. */
export abstract class Admission {
  /** The user a valid token speaks for, created when seen for the first time; undefined when not let in. */
  abstract admit(claims: TokenClaims): Promise<Principal | undefined>;

  /** The user of a token, where it was let in a moment ago and no question is needed; undefined otherwise: ask `admit`. */
  abstract cached(claims: TokenClaims): Principal | undefined;

  /** Those of some who were let in that still would be; asked of the database, with one query or two. */
  abstract stillAdmitted(principals: Principal[]): Promise<Set<Principal>>;

  /** Users of whom this instance has changed something that may lock them out. */
  readonly changes = new Subject<number>();
}

/** `@CurrentUser() user: Principal` */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>().user,
);
