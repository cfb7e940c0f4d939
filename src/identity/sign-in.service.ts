import { Inject, Injectable } from '@nestjs/common';
import { BusinessError, invalidField } from '../common/errors/business-error';
import type { RequestAborted } from '../common/http/request-aborted.decorator';
import { WithHeaders } from '../common/http/with-headers';
import { CONFIG, type Config } from '../config/config';
import { AuthService, type IssuedTokens } from './auth.service';
import type { LoginRequest, RefreshTokenRequest } from './dto/auth.dto';
import type { TokensResponse } from './dto/user-responses.dto';
import { type CookieRequest, originOf, readRefreshCookie, refreshCookie } from './sessions/refresh-cookie';
import type { SessionClient } from './sessions/session-client';

/** The response body; with a `Set-Cookie` header if the refresh token is in the cookie. */
export type TokensAnswer = TokensResponse | WithHeaders<TokensResponse>;

/** The client and the request of a login, refresh or logout. */
export interface SignInRequest {
  client: SessionClient;
  request: CookieRequest;
}

/**
 * Login for programs, which store the refresh token themselves, and for the web app, whose browser stores it in a
 * cookie (API 2.7). A token in the body takes precedence over the cookie.
 */
@Injectable()
export class SignInService {
  readonly #cookieSeconds: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly auth: AuthService,
  ) {
    this.#cookieSeconds = config.auth.refreshTokenTtlSeconds;
  }

  /**
   * Logs in. With `cookie` the refresh token is returned in the cookie only.
   * @throws {BusinessError} BAD_CREDENTIALS, TOO_MANY_REQUESTS; FORBIDDEN for a cookie requested by a page of another
   *   origin; UNAVAILABLE without `JWT_SECRET`
   */
  async logIn(body: LoginRequest, { client, request }: SignInRequest): Promise<TokensAnswer> {
    // Otherwise another site could log its visitors in to an account of its choice (login CSRF).
    if (body.cookie && originOf(request) === 'foreign') throw new BusinessError('FORBIDDEN');
    const tokens = await this.auth.login(body, client);
    return body.cookie ? this.#inCookie(tokens, request) : tokens;
  }

  /**
   * Exchanges the refresh token. The next one is returned where the old one came from: body or cookie.
   * @throws {BusinessError} SESSION_OVER; VALIDATION without a token in body or cookie; FORBIDDEN for a cookie that was
   *   not sent by a page of the same origin; UNAVAILABLE without `JWT_SECRET`
   */
  async refresh(
    body: RefreshTokenRequest,
    { client, request }: SignInRequest,
    isGivenUp: RequestAborted,
  ): Promise<TokensAnswer> {
    const tokens = await this.auth.refresh(tokenOf(body, request), client, isGivenUp);
    return body.refresh_token === undefined ? this.#inCookie(tokens, request) : tokens;
  }

  /**
   * Ends the session of the refresh token, and deletes the cookie if the token came from it.
   * @throws {BusinessError} VALIDATION, FORBIDDEN as for `refresh`
   */
  async logOut(body: RefreshTokenRequest, request: CookieRequest): Promise<WithHeaders<null> | undefined> {
    await this.auth.logout(tokenOf(body, request));
    if (body.refresh_token !== undefined) return undefined;
    return new WithHeaders(null, { 'Set-Cookie': refreshCookie('', 0, request) });
  }

  #inCookie(tokens: IssuedTokens, request: CookieRequest): WithHeaders<TokensResponse> {
    const cookie = refreshCookie(tokens.refresh_token, this.#cookieSeconds, request);
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
