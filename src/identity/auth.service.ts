import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/auth/principal';
import { terminalOfSession } from '../common/auth/session-terminal';
import { BusinessError } from '../common/errors/business-error';
import type { RequestAborted } from '../common/http/request-aborted.decorator';
import { AccessTokens } from './tokens/access-tokens';
import { CredentialsService } from './credentials.service';
import type { LoginRequest } from './dto/auth.dto';
import { type MeResponse, toMeResponse, type TokensResponse, toUserResponse } from './dto/user-responses.dto';
import { USER_ENABLED } from './entities/user.entity';
import type { SessionClient } from './sessions/session-client';
import { type OpenSession, SessionsService } from './sessions/sessions.service';
import { UsersService } from './users.service';

/** Tokens with the refresh token in the body. */
export interface IssuedTokens extends TokensResponse {
  refresh_token: string;
}

/** Login, token refresh and logout (API 2.4). */
@Injectable()
export class AuthService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokens,
    private readonly users: UsersService,
  ) {}

  /** @throws {BusinessError} BAD_CREDENTIALS, TOO_MANY_REQUESTS; UNAVAILABLE without `JWT_SECRET` */
  async login(body: LoginRequest, client: SessionClient): Promise<IssuedTokens> {
    this.tokens.assertCanSign();
    const user = await this.credentials.verify(body, client.address);
    const session = user && (await this.sessions.open(user, client));
    if (!user || !session) throw new BusinessError('BAD_CREDENTIALS', { reason: 'credentials' });
    return this.#tokensFor(session);
  }

  /** @throws {BusinessError} SESSION_OVER; UNAVAILABLE without `JWT_SECRET` */
  async refresh(
    refreshToken: string,
    client: SessionClient,
    isGivenUp: RequestAborted,
  ): Promise<IssuedTokens> {
    this.tokens.assertCanSign();
    return this.#tokensFor(await this.sessions.rotate(refreshToken, client, isGivenUp));
  }

  /** Ends the session of a refresh token. An unknown token is ignored. */
  async logout(refreshToken: string): Promise<void> {
    await this.sessions.end(refreshToken);
  }

  /**
   * Issues tokens for a user without a password. The role of this session stays `user` permanently (API 4.3).
   * @param keyId the API key that sends the request; undefined: an administrator
   * @throws {BusinessError} USER_NOT_FOUND, also for a disabled user; FORBIDDEN for an administrator; UNAVAILABLE
   *   without `JWT_SECRET`; ADMIN_UNAUTHORIZED for a revoked API key
   */
  async issue(userId: number, client: SessionClient, keyId?: number): Promise<IssuedTokens> {
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
}
