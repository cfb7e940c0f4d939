import type { EntityManager } from 'typeorm';
import { gather } from '../../database/endings';
import type { AuditAction } from '../rules/audit-actions';
import { type AuditFields, changedFields } from '../rules/changed-fields';
import { insertAuditRows, type PendingNote } from '../store/audit-rows';
import { type AuditActor, type AuditContext, auditContext } from './audit-context';

/** Where a transaction keeps what it notes. */
const PENDING = 'audit';

/** What was done, and to what. */
export interface AuditNote {
  /** Null where there are several, or none in particular. */
  object_id: number | string | null;
  /** The fields as they were, those that stay may be among them; null of something new. */
  before: AuditFields | null;
  /** The fields as they are; null of something deleted. Of several objects how many, and which. */
  after: AuditFields | null;
  /** Where it is not the route's own. */
  action?: AuditAction;
}

/**
 * Notes in the audit log what the running transaction does for the request of an audited route: there is a row if and when
 * that commits, and one for each request: the first note that tells of a change counts. Who does it, from where and by which
 * action is the request's (`@Audited`). Nothing is noted where nothing has changed, nor outside audited routes. Secrets
 * become `***` and long texts are cut (contract 14.1, 15.2).
 * @param context the request, where a transaction works for several at once: what `auditContext()` was for it
 * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
 */
export function noteAudit(em: EntityManager, note: AuditNote, context = auditContext()): void {
  if (context === undefined || context.isNoted) return;
  const pending = pendingOf(em);
  if (pending.some((other) => other.context === context)) return;
  add(pending, { ...note, action: note.action ?? context.action }, context);
}

/** Notes that somebody has logged in, who only now is known. */
export function noteLogIn(
  em: EntityManager,
  who: Required<AuditActor>,
  note: Omit<AuditNote, 'action'>,
): void {
  const context = auditContext();
  if (context !== undefined) context.actor = who;
  noteAudit(em, note, context);
}

/**
 * Notes what the service does by itself, such as switching a webhook off, whichever request may have set it off: a row of
 * its own by `system`.
 * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
 */
export function noteOwnAct(em: EntityManager, note: AuditNote & { action: AuditAction }): void {
  add(pendingOf(em), note);
}

function add(
  pending: PendingNote[],
  { action, object_id, before, after }: AuditNote & { action: AuditAction },
  context?: AuditContext,
): void {
  const changes = changedFields(before, after);
  if (changes === undefined) return;
  if (context?.onBehalfOf !== undefined)
    changes.after = { ...changes.after, on_behalf_of: context.onBehalfOf };
  pending.push({ ...changes, action, object_id: object_id === null ? null : String(object_id), context });
}

/** Empty where nothing has changed in the end. */
const pendingOf = (em: EntityManager): PendingNote[] =>
  gather(em, PENDING, () => {
    const pending: PendingNote[] = [];
    return {
      gathered: pending,
      write: (now) => insertAuditRows(em, pending, now),
      committed: () => {
        for (const { context } of pending) if (context !== undefined) context.isNoted = true;
      },
    };
  });
