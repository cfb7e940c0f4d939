import { applyDecorators, UseGuards } from '@nestjs/common';
import type { AuditAction } from '../rules/audit-actions.rules';
import { AuditedRoute, AuditGuard } from './audit.guard';

/**
 * `@Audited('user.update')`: requests of this route are audited. The service supplies the details with `recordAudit`.
 * Required on every changing route below `/api/admin`; a test checks all routes.
 */
export const Audited = (action: AuditAction): MethodDecorator =>
  applyDecorators(AuditedRoute({ action, apiKeysOnly: false }), UseGuards(AuditGuard));

/**
 * `@AuditedOnBehalf('message.send')`: like `@Audited`, but only for API keys that act on behalf of a user; users' own
 * requests are not audited.
 */
export const AuditedOnBehalf = (action: AuditAction): MethodDecorator =>
  applyDecorators(AuditedRoute({ action, apiKeysOnly: true }), UseGuards(AuditGuard));
