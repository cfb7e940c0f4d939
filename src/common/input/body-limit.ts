import { type CanActivate, type ExecutionContext, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import { RequestBody } from './request-body';

/** Checks the length of a body before its content or the path is validated. */
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
 * `@MaxBody(bytes)`: a limit for a route that is lower than the general 1 MiB.
 * @throws {BusinessError} BODY_TOO_LARGE, after authentication and before any other check
 */
export const MaxBody = (bytes: number): MethodDecorator => UseGuards(new BodyLimitGuard(bytes));
