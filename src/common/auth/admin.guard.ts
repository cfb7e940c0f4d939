import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import type { CallerRequest } from './caller';

const ADMIN_PREFIX = '/api/admin';

/**
 * Whether a request is for the administrative area. The matched route decides, not the raw URL, which may be
 * percent-encoded. Only if no route matched, the (decoded) path decides.
 */
export function isAdminPath(request: FastifyRequest): boolean {
  const route = request.routeOptions.url ?? '';
  const unmatched = (request.params as { '*'?: string } | undefined)?.['*'];
  const path = unmatched === undefined ? route : `/api/${unmatched}`;
  return path === ADMIN_PREFIX || path.startsWith(`${ADMIN_PREFIX}/`);
}

/**
 * Global: every route below `/api/admin` requires the role `admin` (API 2.2). A rule by path also covers routes
 * that are added later. API keys pass: `KeyGuard` has already checked which routes a key may use.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    if (request.apiKey !== undefined) return true;
    if (isAdminPath(request) && request.user?.role !== 'admin') throw new BusinessError('FORBIDDEN');
    return true;
  }
}
