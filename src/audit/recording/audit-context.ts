import { AsyncLocalStorage } from 'node:async_hooks';
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

const storage = new AsyncLocalStorage<AuditContext>();

/** Returns the audited request that the current code runs for; undefined outside audited requests. */
export const auditContext = (): AuditContext | undefined => storage.getStore();

/** Runs `work` in the audit context of a request. */
export const runAudited = <T>(context: AuditContext, work: () => T): T => storage.run(context, work);
