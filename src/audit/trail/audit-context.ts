import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditAction } from '../rules/audit-actions';

/** Who acts. */
export interface AuditActor {
  type: 'user' | 'key';
  id: number;
  /** Where it is known already; else it is looked up when the row is written. */
  name?: string;
}

/** The request whose changes are noted. */
export interface AuditContext {
  action: AuditAction;
  /** Undefined where nobody is known yet: somebody logs in. */
  actor?: AuditActor;
  /** The user in whose name a key acts. */
  onBehalfOf?: number;
  ip: string;
  requestId: string;
  /** A row of it is committed: there is one for each request, whatever it does. */
  isNoted: boolean;
}

const storage = new AsyncLocalStorage<AuditContext>();

/** The audited request on whose behalf the code at hand runs; undefined where there is none. */
export const auditContext = (): AuditContext | undefined => storage.getStore();

/** Runs something as the doing of a request. */
export const runAudited = <T>(context: AuditContext, work: () => T): T => storage.run(context, work);
