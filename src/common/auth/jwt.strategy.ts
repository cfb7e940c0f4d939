import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { ExtractJwt, Strategy as PassportJwtStrategy } from 'passport-jwt';
import { Admission, type Principal, type TokenClaims } from './principal';
import { TokenVerifier } from './token-verifier';

const bearerOf: (request: FastifyRequest) => string | null = ExtractJwt.fromAuthHeaderAsBearerToken();

type Done = (error: unknown, result?: unknown) => void;

/** The verifier is replaceable at run time but missing from the library's types. */
const Strategy = PassportJwtStrategy as typeof PassportJwtStrategy & { JwtVerifier: unknown };

/**
 * passport-jwt, with signatures checked by jose: the library's own verifier, jsonwebtoken, knows no EdDSA
 * (contract 1.6). What the key provider hands on is the verified claims, so the library's second check only asks
 * whether there are any.
 */
Strategy.JwtVerifier = (_token: string, claims: TokenClaims | undefined, _options: unknown, done: Done) =>
  claims === undefined ? done(new Error('unacceptable token')) : done(null, claims);

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /** This instance's own name with passport, whose register is global: two applications may live in one process. */
  readonly registeredAs = `jwt-${randomUUID()}`;

  constructor(
    private readonly verifier: TokenVerifier,
    private readonly admission: Admission,
  ) {
    super({
      // A token in a URL is never accepted.
      jwtFromRequest: bearerOf,
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: never) => void,
      ) => {
        verifier.verify(token).then((claims) => done(null, claims as never), done);
      },
    });
    passport.use(this.registeredAs, this);
  }

  /** The user of a token that was let in a moment ago, at a fraction of what passport takes to ask again. */
  recall(request: FastifyRequest): Principal | undefined {
    const token = bearerOf(request);
    const claims = token === null ? undefined : this.verifier.recall(token);
    return claims && this.admission.recall(claims);
  }

  /** The user of a verified token, or false when it is not let in. */
  async validate(claims: TokenClaims): Promise<Principal | false> {
    return (await this.admission.admit(claims)) ?? false;
  }
}
