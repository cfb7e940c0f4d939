import { Reflector } from '@nestjs/core';
import type { AuditAction } from '../rules/audit-actions';

/** How a route is audited. */
interface RouteAudit {
  action: AuditAction;
  /** Only what keys do is noted. */
  byKeysAlone: boolean;
}

/** The metadata that `@Audited` leaves for its interceptor. */
export const AuditedRoute = Reflector.createDecorator<RouteAudit>();
