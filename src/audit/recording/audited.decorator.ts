import { applyDecorators, UseInterceptors } from '@nestjs/common';
import type { AuditAction } from '../rules/audit-actions.rules';
import { AuditInterceptor } from './audit.interceptor';
import { AuditedRoute } from './audited-route';

/**
 * `@Audited('user.update')`: requests of this route are audited. The service supplies the details with `recordAudit`.
 * Required on every changing route below `/api/admin`; a test checks all routes.
 */
export const Audited = (action: AuditAction): MethodDecorator =>
  applyDecorators(AuditedRoute({ action, apiKeysOnly: false }), UseInterceptors(AuditInterceptor));

/**
 * `@AuditedOnBehalf('message.send')`: like `@Audited`, but only for API keys that act on behalf of a user; users' own
 * requests are not audited.
 */
export const AuditedOnBehalf = (action: AuditAction): MethodDecorator =>
  applyDecorators(AuditedRoute({ action, apiKeysOnly: true }), UseInterceptors(AuditInterceptor));
