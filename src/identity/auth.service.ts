import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/auth/principal';
import { BusinessError } from '../common/errors/business-error';
import { AccessTokens } from './access-tokens';
import { CredentialsService } from './credentials.service';
import type { LoginBody } from './dto/auth.dto';
import { type MeResponse, toMeResponse, type TokensResponse, toUserResponse } from './dto/user-responses.dto';
import type { UserEntity } from './entities/user.entity';
import { type OpenSession, SessionsService } from './sessions.service';
import { UsersService } from './users.service';

/** Logging in, staying logged in, and logging out (contract 2). */
@Injectable()
export class AuthService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokens,
    private readonly users: UsersService,
  ) {}

  /** @throws {BusinessError} BAD_CREDENTIALS, TOO_MANY_REQUESTS; UNAVAILABLE without `JWT_SECRET` */
  async login(body: LoginBody, address: string): Promise<TokensResponse> {
    this.tokens.assertCanSign();
    const user = await this.credentials.verify(body, address);
    const session = user && (await this.sessions.open(user));
    if (!user || !session) throw new BusinessError('BAD_CREDENTIALS');
    return this.#tokensFor(user, session);
  }

  /** @throws {BusinessError} SESSION_OVER; UNAVAILABLE without `JWT_SECRET` */
  async refresh(refreshToken: string): Promise<TokensResponse> {
    this.tokens.assertCanSign();
    const session = await this.sessions.rotate(refreshToken);
    return this.#tokensFor(await this.users.get(session.userId), session);
  }

  /** Ends the session of a refresh token; an unknown one has none to end, which is as good. */
  async logout(refreshToken: string): Promise<void> {
    await this.sessions.end(refreshToken);
  }

  async me({ id, role }: Principal): Promise<MeResponse> {
    return toMeResponse(await this.users.get(id), role);
  }

  async #tokensFor(user: UserEntity, session: OpenSession): Promise<TokensResponse> {
    await this.sessions.clearExpired();
    return {
      access_token: await this.tokens.sign(user, session.id),
      token_type: 'Bearer',
      expires_in: this.tokens.lifetimeSeconds,
      refresh_token: session.refreshToken,
      user: toUserResponse(user),
    };
  }
}
