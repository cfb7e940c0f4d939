import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { CallerRequest } from '../../common/auth/caller';
import type { AuditAction } from '../rules/audit-actions.rules';
import { type AuditActor, startAudit } from './audit-context';

/** Metadata that `@Audited` sets. If `apiKeysOnly`, only requests with an API key are audited. */
export const AuditedRoute = Reflector.createDecorator<{ action: AuditAction; apiKeysOnly: boolean }>();

/**
 * Sets the audit context of a request, so that code that audits a change knows the actor. It is applied by `@Audited`:
 * other routes have no overhead. A guard and not an interceptor, because each interceptor of a route adds a chain of
 * observables to its requests. Runs after the global guards, which set the actor.
 */
@Injectable()
export class AuditGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): true {
    const request = execution.switchToHttp().getRequest<CallerRequest>();
    const route = this.reflector.get(AuditedRoute, execution.getHandler());
    if (route.apiKeysOnly && request.apiKey === undefined) return true;
    startAudit({
      action: route.action,
      actor: actorOf(request),
      onBehalfOf: request.apiKey && request.user?.id,
      ip: request.ip,
      requestId: request.id,
      isRecorded: false,
    });
    return true;
  }
}

/** Returns the actor. If an API key acts on behalf of a user, the actor is the key. */
function actorOf({ apiKey, user }: CallerRequest): AuditActor | undefined {
  if (apiKey !== undefined) return { type: 'key', id: apiKey.id, name: apiKey.name };
  return user && { type: 'user', id: user.id };
}
