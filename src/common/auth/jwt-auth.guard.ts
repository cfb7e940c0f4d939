import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import { isAdminPath } from './admin.guard';
import { JwtStrategy } from './jwt.strategy';
import { IsPublic } from './public.decorator';

/** Global: every route needs a bearer token unless it says `@Public()`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    strategy: JwtStrategy,
  ) {
    // By name only: passport hangs each request's callbacks on a strategy that is passed as an object.
    super({ defaultStrategy: strategy.registeredAs });
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const isPublic = this.reflector.getAllAndOverride(IsPublic, [context.getHandler(), context.getClass()]);
    return isPublic ? true : (super.canActivate(context) as Promise<boolean>);
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
    throw new BusinessError(isAdminPath(request) ? 'ADMIN_UNAUTHORIZED' : 'UNAUTHORIZED');
  }
}
