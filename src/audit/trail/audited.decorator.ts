import { applyDecorators, UseInterceptors } from '@nestjs/common';
import type { AuditAction } from '../rules/audit-actions';
import { AuditInterceptor } from './audit.interceptor';
import { AuditedRoute } from './audited-route';

/**
 * `@Audited('user.update')`: the route changes something, and whoever does leaves a row in the audit log: its service says
 * what by `noteAudit`. Every changing route below `/api/admin` has it; a test walks them all.
 */
export const Audited = (action: AuditAction): MethodDecorator =>
  applyDecorators(AuditedRoute({ action, byKeysAlone: false }), UseInterceptors(AuditInterceptor));

/** `@AuditedOnBehalf('message.send')`: as `@Audited`, where a key acts as a user; what users do themselves is not noted. */
export const AuditedOnBehalf = (action: AuditAction): MethodDecorator =>
  applyDecorators(AuditedRoute({ action, byKeysAlone: true }), UseInterceptors(AuditInterceptor));
