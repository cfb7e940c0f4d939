import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import { ActiveUsers } from './active-users';
import { isAdminPath } from './admin.guard';
import { ApiKeyAuthenticator, keyTextOf } from './api-keys/api-key';
import type { CallerRequest } from './caller';
import { JwtStrategy } from './jwt.strategy';
import type { TokenClaims } from './principal';
import { IsPublic } from './public.decorator';
import { RequestCounter } from './request-counter';

/**
 * Global: every route requires a bearer token or an API key, unless it is `@Public()`. The request is counted for the
 * rate limit whether it is authenticated or not, except on routes with `countedWhenRefused`.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: JwtStrategy,
    private readonly keys: ApiKeyAuthenticator,
    private readonly counter: RequestCounter,
    private readonly activeUsers: ActiveUsers,
  ) {
    // By name: passport sets the callbacks of each request on a strategy that is passed as an object.
    super({ defaultStrategy: strategy.registeredAs });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const isPublic = this.reflector.getAllAndOverride(IsPublic, [context.getHandler(), context.getClass()]);
    const request = context.switchToHttp().getRequest<CallerRequest>();
    try {
      if (isPublic) return true;
      const keyText = keyTextOf(request);
      if (keyText !== undefined) return await this.#authenticateKey(keyText, request);
      const claims = this.strategy.cached(request);
      const isAuthenticated =
        claims === undefined
          ? ((await super.canActivate(context)) as boolean)
          : await this.#authenticateUser(claims, request);
      if (request.user !== undefined) this.activeUsers.note(request.user.id);
      return isAuthenticated;
    } finally {
      if (!request.routeOptions.config.countedWhenRefused) await this.counter.count(request);
    }
  }

  override handleRequest<User>(
    error: unknown,
    user: User | false,
    info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error;
    if (info instanceof BusinessError) throw info;
    if (user) return user;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    throw unauthorized(request, reasonOf(info, request));
  }

  /** Authenticates a token with cached claims, with the same result as passport's. */
  async #authenticateUser(claims: TokenClaims, request: CallerRequest): Promise<true> {
    const result = await this.strategy.authenticateClaims(claims);
    if (typeof result === 'string') throw unauthorized(request, result);
    request.user = result;
    return true;
  }

  async #authenticateKey(text: string, request: CallerRequest): Promise<true> {
    const result = await this.keys.find(text);
    if (typeof result === 'string') throw unauthorized(request, result);
    this.keys.noteUse(result);
    request.apiKey = result;
    return true;
  }
}

const unauthorized = (request: FastifyRequest, reason: string): BusinessError =>
  new BusinessError(isAdminPath(request) ? 'ADMIN_UNAUTHORIZED' : 'UNAUTHORIZED', { reason });

/** Returns the reason of the strategy. If it found no token, distinguishes a missing header from a malformed one. */
function reasonOf(info: unknown, { headers }: FastifyRequest): string {
  if (typeof info === 'string') return info;
  return headers.authorization === undefined ? 'no token' : 'malformed';
}
