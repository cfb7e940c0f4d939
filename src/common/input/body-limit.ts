import { type CanActivate, type ExecutionContext, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import { RequestBody } from './request-body';

/** Looks at a body's length before anything in it, or in the path, is looked at. */
class BodyLimitGuard implements CanActivate {
  constructor(private readonly bytes: number) {}

  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body instanceof RequestBody && body.isLongerThan(this.bytes))
      throw new BusinessError('BODY_TOO_LARGE');
    return true;
  }
}

/**
 * `@MaxBody(bytes)`: a route that takes less than the 1 MiB of all others.
 * @throws {BusinessError} BODY_TOO_LARGE, after the token and before all else
 */
export const MaxBody = (bytes: number): MethodDecorator => UseGuards(new BodyLimitGuard(bytes));
