import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Subject } from 'rxjs';
import type { UserId } from '../ids';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The authenticated user, as read from the token. */
export interface Principal {
  id: UserId;
  /** The role in the token. The stored role is ignored (API 2.2). */
  role: Role;
  /** Expiry of the token in milliseconds since 1970, from its verified `exp`. */
  expiresAt: number;
  /** The session of a token issued at log-in; undefined for a token of an identity provider. */
  sid?: string;
  /** Set if an API key acts on behalf of the user. */
  byKey?: true;
}

/** The properties of a user that decide which other users are visible to it. */
export type Asker = Pick<Principal, 'id' | 'role' | 'byKey'>;

/** A user identified by the external id of an identity provider (API 2.3). */
export interface ExternalSubject {
  /** 1 to 255 characters, compared byte for byte. */
  externalId: string;
  /** Issuers under which the user may be stored, in order of precedence. A new user is stored with the first one. */
  issuers: readonly [string, ...string[]];
  /** Issuer and external id as one text, for caches. */
  key: string;
}

/** The claims of a verified token that the service uses, read once when it is verified (API 2.1, 2.3). */
export interface TokenClaims {
  /** The user of the token: a local user by id, or a user of an identity provider. */
  subject: UserId | ExternalSubject;
  /** Expiry in seconds since 1970. */
  exp: number;
  role: Role;
  /** Name and picture as claimed, not validated. */
  name?: unknown;
  picture?: unknown;
  /**
   * Time of issue by a provider, in milliseconds since 1970; undefined for the service's own tokens, whose names are
   * ignored.
   */
  issuedAt?: number;
  /** The session of the token. Set only for tokens signed with `JWT_SECRET`; the `sid` of a provider is ignored. */
  sid?: string;
}

/** Why a token is rejected, for the log and the metrics, never in the response (API 2.1). */
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

/**
 * Finds the user of a token. Implemented by the `identity` module, so that `common` does not depend on a feature
 * module.
 */
export abstract class Authenticator {
  /**
   * Returns the user of a verified token, and creates it at its first token; otherwise the reason for which it is
   * rejected.
   */
  abstract authenticate(claims: TokenClaims): Promise<Principal | TokenRefusal>;

  /** Returns the user if the token was accepted recently and needs no query; undefined: call `authenticate`. */
  abstract cached(claims: TokenClaims): Principal | undefined;

  /**
   * Returns those of the authenticated users who would still be accepted. Reads the database, with one or two queries.
   */
  abstract revalidate(principals: Principal[]): Promise<Set<Principal>>;

  /** Emits the id of a user after a change by this instance that may end the user's access. */
  readonly changes = new Subject<number>();
}

/** `@CurrentUser() user: Principal` */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>().user,
);
