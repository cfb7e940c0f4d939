import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Observable } from 'rxjs';
import type { CallerRequest } from '../../common/auth/caller';
import { type AuditActor, type AuditContext, runAudited } from './audit-context';
import { AuditedRoute } from './audited-route';

/**
 * Runs a handler in the audit context of its request, so that code that audits a change knows the actor. It is applied
 * by `@Audited`: other routes have no overhead.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<CallerRequest>();
    const route = this.reflector.get(AuditedRoute, execution.getHandler());
    if (route.apiKeysOnly && request.apiKey === undefined) return next.handle();
    const context: AuditContext = {
      action: route.action,
      actor: actorOf(request),
      onBehalfOf: request.apiKey && request.user?.id,
      ip: request.ip,
      requestId: request.id,
      isRecorded: false,
    };
    return new Observable((subscriber) => runAudited(context, () => next.handle().subscribe(subscriber)));
  }
}

/** Returns the actor. If an API key acts on behalf of a user, the actor is the key. */
function actorOf({ apiKey, user }: CallerRequest): AuditActor | undefined {
  if (apiKey !== undefined) return { type: 'key', id: apiKey.id, name: apiKey.name };
  return user && { type: 'user', id: user.id };
}
