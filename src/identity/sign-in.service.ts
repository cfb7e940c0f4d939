import { Inject, Injectable } from '@nestjs/common';
import { BusinessError, invalidField } from '../common/errors/business-error';
import type { GivenUp } from '../common/http/given-up.decorator';
import { WithHeaders } from '../common/http/with-headers';
import { CONFIG, type Config } from '../config/config';
import { AuthService, type IssuedTokens } from './auth.service';
import type { LoginRequest, RefreshTokenRequest } from './dto/auth.dto';
import type { TokensResponse } from './dto/user-responses.dto';
import { type CookieRequest, originOf, readRefreshCookie, refreshCookie } from './sessions/refresh-cookie';
import type { SessionClient } from './sessions/session-client';

/** Tokens as a body carries them; with a header that sets the cookie, where the refresh token goes into that. */
export type TokensAnswer = TokensResponse | WithHeaders<TokensResponse>;

/** Who asks, and by which request. */
export interface SignInRequest {
  client: SessionClient;
  request: CookieRequest;
}

/**
 * Signing in for programs, which keep the refresh token themselves, and for pages, whose browser keeps it in a cookie
 * (contract 18.9). A token in the body comes before the cookie.
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
   * Logs in; with `cookie` the refresh token goes into the cookie alone.
   * @throws {BusinessError} BAD_CREDENTIALS, TOO_MANY_REQUESTS; FORBIDDEN where a page of another origin wants a cookie set;
   *   UNAVAILABLE without `JWT_SECRET`
   */
  async logIn(body: LoginRequest, { client, request }: SignInRequest): Promise<TokensAnswer> {
    // Else any site could put its visitors into a session of its own choice.
    if (body.cookie && originOf(request) === 'foreign') throw new BusinessError('FORBIDDEN');
    const tokens = await this.auth.login(body, client);
    return body.cookie ? this.#inCookie(tokens, request) : tokens;
  }

  /**
   * Exchanges the refresh token; the next one goes to where it came from.
   * @throws {BusinessError} SESSION_OVER; VALIDATION without a token in body and cookie; FORBIDDEN where the cookie was not
   *   sent by a page of our own; UNAVAILABLE without `JWT_SECRET`
   */
  async refresh(
    body: RefreshTokenRequest,
    { client, request }: SignInRequest,
    isGivenUp: GivenUp,
  ): Promise<TokensAnswer> {
    const tokens = await this.auth.refresh(tokenOf(body, request), client, isGivenUp);
    return body.refresh_token === undefined ? this.#inCookie(tokens, request) : tokens;
  }

  /**
   * Ends the session of the refresh token; a cookie that held it goes.
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
  if (token === undefined) throw invalidField('refresh_token', '字段不能为空');
  // The browser sends it along whoever made the request, so who did must be known.
  if (originOf(request) !== 'own') throw new BusinessError('FORBIDDEN');
  return token;
}
