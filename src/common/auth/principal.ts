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
  /** A key of a back end acts on behalf of the user. */
  byKey?: true;
}

/** A user, as far as it decides which other users the user may see. */
export type Asker = Pick<Principal, 'id' | 'role' | 'byKey'>;

/** Somebody whom an identity provider names by a text of its own (contract 18.1). */
export interface ExternalSubject {
  /** The text, of 1 to 255 characters, compared byte for byte. */
  externalId: string;
  /** Under which issuers it may be known, the first one before the others; a newcomer gets the first. */
  issuers: readonly [string, ...string[]];
  /** All of it as one text, to remember the subject by. */
  key: string;
}

/** The claims of an accepted token that matter here, read once when it is verified (contract 1.6, 18.1). */
export interface TokenClaims {
  /** Whom it speaks for: a local user by its id, or somebody of a provider. */
  subject: UserId | ExternalSubject;
  /** When it expires, in seconds since 1970. */
  exp: number;
  role: Role;
  /** Name and picture as claimed, in whatever shape. */
  name?: unknown;
  picture?: unknown;
  /** When a provider issued it, in milliseconds since 1970; undefined of our own, whose names do not count. */
  issuedAt?: number;
  /** The session it belongs to. Only tokens under `JWT_SECRET` have one: a provider's `sid` is its own affair. */
  sid?: string;
}

/** Why a token is not let in: for the log and the metrics, never for the answer (contract 18.1). */
export type TokenRefusal =
  | 'no token'
  | 'malformed'
  | 'algorithm'
  | 'unknown key'
  | 'signature'
  | 'expired'
  | 'not yet valid'
  | 'issuer'
  | 'audience'
  | 'no exp'
  | 'no sub'
  | 'claims'
  | 'unknown user'
  | 'disabled'
  | 'session over';

/** The way from a token to a user; the identity module implements it, so that `common` knows no feature. */
export abstract class Admission {
  /** The user a valid token speaks for, created when seen for the first time; else why it is not let in. */
  abstract admit(claims: TokenClaims): Promise<Principal | TokenRefusal>;

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
