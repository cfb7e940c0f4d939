import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import type { CallerRequest } from './caller';

const ADMIN_PREFIX = '/api/admin';

/**
 * Whether a request is for the administrative area. The matched route decides, not the URL as it was written, which
 * may be percent-encoded; only where no route matched does the (decoded) path itself count.
 */
export function isAdminPath(request: FastifyRequest): boolean {
  const route = request.routeOptions.url ?? '';
  const unmatched = (request.params as { '*'?: string } | undefined)?.['*'];
  const path = unmatched === undefined ? route : `/api/${unmatched}`;
  return path === ADMIN_PREFIX || path.startsWith(`${ADMIN_PREFIX}/`);
}

/**
 * Global: everything below `/api/admin` needs the role `admin` (contract 1.6). A path rule cannot be forgotten. What a key
 * may use there, `KeyGuard` has decided before.
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
