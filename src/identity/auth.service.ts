import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../common/auth/principal';
import { terminalOfSession } from '../common/auth/session-terminal';
import { BusinessError, invalidField } from '../common/errors/business-error';
import type { RequestAborted } from '../common/http/request-aborted.decorator';
import { WithHeaders } from '../common/http/with-headers';
import { CONFIG, type Config } from '../config/config';
import { AccessTokens } from './tokens/access-tokens';
import { CredentialsService } from './credentials.service';
import type { LoginRequest, RefreshTokenRequest } from './dto/auth.dto';
import { type MeResponse, toMeResponse, type TokensResponse, toUserResponse } from './dto/user-responses.dto';
import { USER_ENABLED } from './entities/user.entity';
import { type CookieRequest, originOf, readRefreshCookie, refreshCookie } from './sessions/refresh-cookie';
import { clientOf, type SessionClient } from './sessions/session-client';
import { type OpenSession, SessionsService } from './sessions/sessions.service';
import { UsersService } from './users.service';

/** Tokens with the refresh token in the body. */
interface IssuedTokens extends TokensResponse {
  refresh_token: string;
}

/** The response body; with a `Set-Cookie` header if the refresh token is in the cookie. */
export type TokensAnswer = TokensResponse | WithHeaders<TokensResponse>;

/**
 * Login, token refresh and logout (API 2.4) for programs, which store the refresh token themselves, and for the web app,
 * whose browser stores it in a cookie (API 2.7). A token in the body takes precedence over the cookie.
 */
@Injectable()
export class AuthService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokens,
    private readonly users: UsersService,
  ) {}

  /**
   * Logs in. With `cookie` the refresh token is returned in the cookie only.
   * @throws {BusinessError} BAD_CREDENTIALS, TOO_MANY_REQUESTS; FORBIDDEN for a cookie requested by a page of another
   *   origin; UNAVAILABLE without `JWT_SECRET`
   */
  async login(body: LoginRequest, request: FastifyRequest): Promise<TokensAnswer> {
    // Otherwise another site could log its visitors in to an account of its choice (login CSRF).
    if (body.cookie && originOf(request) === 'foreign') throw new BusinessError('FORBIDDEN');
    const tokens = await this.issueByPassword(body, clientOf(request));
    return body.cookie ? this.#inCookie(tokens, request) : tokens;
  }

  /**
   * Issues tokens for an account and its password.
   * @throws {BusinessError} BAD_CREDENTIALS, TOO_MANY_REQUESTS; UNAVAILABLE without `JWT_SECRET`
   */
  async issueByPassword(body: LoginRequest, client: SessionClient): Promise<IssuedTokens> {
    this.tokens.assertCanSign();
    const user = await this.credentials.verify(body, client.address);
    const session = user && (await this.sessions.open(user, client));
    if (!user || !session) throw new BusinessError('BAD_CREDENTIALS', { reason: 'credentials' });
    return this.#tokensFor(session);
  }

  /**
   * Exchanges the refresh token. The next one is returned where the old one came from: body or cookie.
   * @throws {BusinessError} SESSION_OVER; VALIDATION without a token in body or cookie; FORBIDDEN for a cookie that was
   *   not sent by a page of the same origin; UNAVAILABLE without `JWT_SECRET`
   */
  async refresh(
    body: RefreshTokenRequest,
    request: FastifyRequest,
    isGivenUp: RequestAborted,
  ): Promise<TokensAnswer> {
    const refreshToken = tokenOf(body, request);
    this.tokens.assertCanSign();
    const session = await this.sessions.rotate(refreshToken, clientOf(request), isGivenUp);
    const tokens = await this.#tokensFor(session);
    return body.refresh_token === undefined ? this.#inCookie(tokens, request) : tokens;
  }

  /**
   * Ends the session of the refresh token, and deletes the cookie if the token came from it. An unknown token is ignored.
   * @throws {BusinessError} VALIDATION, FORBIDDEN as for `refresh`
   */
  async logout(body: RefreshTokenRequest, request: CookieRequest): Promise<WithHeaders<null> | undefined> {
    await this.sessions.end(tokenOf(body, request));
    if (body.refresh_token !== undefined) return undefined;
    return new WithHeaders(null, { 'Set-Cookie': refreshCookie('', 0, request) });
  }

  /**
   * Issues tokens for a user without a password. The role of this session stays `user` permanently (API 4.3).
   * @param keyId the API key that sends the request; undefined: an administrator
   * @throws {BusinessError} USER_NOT_FOUND, also for a disabled user; FORBIDDEN for an administrator; UNAVAILABLE
   *   without `JWT_SECRET`; ADMIN_UNAUTHORIZED for a revoked API key
   */
  async issue(userId: number, client: SessionClient, keyId?: number): Promise<TokensResponse> {
    this.tokens.assertCanSign();
    const session = await this.sessions.openForUser(userId, client, keyId);
    if (session !== undefined) return this.#tokensFor(session);
    const { status } = await this.users.get(userId);
    throw new BusinessError(status === USER_ENABLED ? 'FORBIDDEN' : 'USER_NOT_FOUND');
  }

  async me(principal: Principal): Promise<MeResponse> {
    return toMeResponse(await this.users.get(principal.id), principal);
  }

  /** Runs no query: the session is committed already, so a failure here would lose the refresh token. */
  async #tokensFor({ id, user, role, refreshToken }: OpenSession): Promise<IssuedTokens> {
    return {
      access_token: await this.tokens.sign({ id: user.id, role }, id),
      token_type: 'Bearer',
      expires_in: this.tokens.lifetimeSeconds,
      refresh_token: refreshToken,
      user: toUserResponse(user),
      terminal_id: terminalOfSession(id),
    };
  }

  #inCookie(tokens: IssuedTokens, request: CookieRequest): WithHeaders<TokensResponse> {
    const cookie = refreshCookie(tokens.refresh_token, this.config.auth.refreshTokenTtlSeconds, request);
    return new WithHeaders({ ...tokens, refresh_token: null }, { 'Set-Cookie': cookie });
  }
}

function tokenOf({ refresh_token }: RefreshTokenRequest, request: CookieRequest): string {
  if (refresh_token !== undefined) return refresh_token;
  const token = readRefreshCookie(request);
  if (token === undefined) throw invalidField('refresh_token', 'required');
  // Browsers attach the cookie to requests of any page, so the origin must be the service's own.
  if (originOf(request) !== 'own') throw new BusinessError('FORBIDDEN');
  return token;
}
