import { currentRequest } from '../../common/concurrency/current-caller';
import type { AuditAction } from '../rules/audit-actions.rules';

/** The actor of a request. */
export interface AuditActor {
  type: 'user' | 'key';
  id: number;
  /** The name if it is known already; otherwise it is read when the row is written. */
  name?: string;
}

/** The request whose changes are audited. */
export interface AuditContext {
  action: AuditAction;
  /** Undefined until the user is known, during a login. */
  actor?: AuditActor;
  /** The user on whose behalf an API key acts. */
  onBehalfOf?: number;
  ip: string;
  requestId: string;
  /** Whether an entry of this request is committed. A request has at most one entry. */
  isRecorded: boolean;
}

declare module '../../common/concurrency/current-caller' {
  interface CurrentRequest {
    /** Undefined if the changes of the request are not audited. */
    audit?: AuditContext;
  }
}

/** Returns the audited request that the current code runs for; undefined outside audited requests. */
export const auditContext = (): AuditContext | undefined => currentRequest()?.audit;

/**
 * Audits the changes of the current request.
 * @throws {Error} if there is none, so that no change is left out of the audit log
 */
export function startAudit(context: AuditContext): void {
  const current = currentRequest();
  if (current === undefined) throw new Error(`The route of ${context.action} has no current request`);
  current.audit = context;
}
