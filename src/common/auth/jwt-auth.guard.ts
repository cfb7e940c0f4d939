import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import { ActiveUsers } from './active-users';
import { isAdminPath } from './admin.guard';
import { KeyAdmission, keyTextOf } from './api-keys/api-key';
import type { CallerRequest } from './caller';
import { JwtStrategy } from './jwt.strategy';
import type { TokenClaims } from './principal';
import { IsPublic } from './public.decorator';
import { RequestCounter } from './request-counter';

/**
 * Global: every route needs a bearer token, or a key in its place, unless it says `@Public()`. Then, let in or not, the
 * request is counted.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: JwtStrategy,
    private readonly keys: KeyAdmission,
    private readonly counter: RequestCounter,
    private readonly activeUsers: ActiveUsers,
  ) {
    // By name only: passport hangs each request's callbacks on a strategy that is passed as an object.
    super({ defaultStrategy: strategy.registeredAs });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const isPublic = this.reflector.getAllAndOverride(IsPublic, [context.getHandler(), context.getClass()]);
    const request = context.switchToHttp().getRequest<CallerRequest>();
    try {
      if (isPublic) return true;
      const keyText = keyTextOf(request);
      if (keyText !== undefined) return await this.#admitKey(keyText, request);
      const claims = this.strategy.cached(request);
      const isIn =
        claims === undefined
          ? ((await super.canActivate(context)) as boolean)
          : await this.#admitUser(claims, request);
      if (request.user !== undefined) this.activeUsers.note(request.user.id);
      return isIn;
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

  /** What passport would say of a token whose signature need not be checked again. */
  async #admitUser(claims: TokenClaims, request: CallerRequest): Promise<true> {
    const admitted = await this.strategy.admit(claims);
    if (typeof admitted === 'string') throw unauthorized(request, admitted);
    request.user = admitted;
    return true;
  }

  async #admitKey(text: string, request: CallerRequest): Promise<true> {
    const found = await this.keys.find(text);
    if (typeof found === 'string') throw unauthorized(request, found);
    this.keys.noteUse(found);
    request.apiKey = found;
    return true;
  }
}

const unauthorized = (request: FastifyRequest, reason: string): BusinessError =>
  new BusinessError(isAdminPath(request) ? 'ADMIN_UNAUTHORIZED' : 'UNAUTHORIZED', { reason });

/** What the strategy says; of a request in whose header it found no token, which of the two it is. */
function reasonOf(info: unknown, { headers }: FastifyRequest): string {
  if (typeof info === 'string') return info;
  return headers.authorization === undefined ? 'no token' : 'malformed';
}
