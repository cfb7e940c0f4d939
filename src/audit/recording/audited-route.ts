import { Reflector } from '@nestjs/core';
import type { AuditAction } from '../rules/audit-actions.rules';

/** Audit settings of a route. */
interface RouteAudit {
  action: AuditAction;
  /** If true, only requests with an API key are audited. */
  apiKeysOnly: boolean;
}

/** Metadata that `@Audited` sets for its guard. */
export const AuditedRoute = Reflector.createDecorator<RouteAudit>();
