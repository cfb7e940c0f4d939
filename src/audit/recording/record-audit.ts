import type { EntityManager } from 'typeorm';
import { transactionScoped } from '../../database/transaction-hooks';
import type { AuditAction } from '../rules/audit-actions.rules';
import { type AuditFields, changedFields } from '../rules/changed-fields.rules';
import { insertAuditRows, type PendingAuditRow } from '../store/audit.store';
import { type AuditActor, type AuditContext, auditContext } from './audit-context';

/** Key of the pending entries in a transaction's query runner. */
const PENDING = 'audit';

/** The details of an audit entry. */
export interface AuditRecord {
  /** Null for several objects, or for none in particular. */
  object_id: number | string | null;
  /** The fields before the change, which may include unchanged fields; null for a new object. */
  before: AuditFields | null;
  /** The fields after the change; null for a deleted object. For several objects their number and ids. */
  after: AuditFields | null;
  /** Default: the action of the route. */
  action?: AuditAction;
}

/**
 * Adds an audit entry to the running transaction; it exists if and when that commits. A request has one entry: the
 * first call that describes a change counts. Actor, address and action come from the request (`@Audited`). Writes
 * nothing if nothing differs, or outside audited routes. Secrets become `***` and long texts are cut (API 15.1).
 * @throws {Error} if `em` belongs to no transaction of `Transactions.run`
 */
export function recordAudit(em: EntityManager, note: AuditRecord): void {
  recordAuditFor(em, auditContext(), note);
}

/**
 * `recordAudit` for transactions that serve several requests.
 * @param context the result of `auditContext()` in the request; undefined if the request is not audited
 */
export function recordAuditFor(
  em: EntityManager,
  context: AuditContext | undefined,
  note: AuditRecord,
): void {
  if (context === undefined || context.isRecorded) return;
  const pending = pendingOf(em);
  if (pending.some((entry) => entry.context === context)) return;
  add(pending, { ...note, action: note.action ?? context.action }, context);
}

/** Adds an entry for a login, whose actor was not known when the request started. */
export function recordLogIn(
  em: EntityManager,
  actor: Required<AuditActor>,
  note: Omit<AuditRecord, 'action'>,
): void {
  const context = auditContext();
  if (context !== undefined) context.actor = actor;
  recordAuditFor(em, context, note);
}

/**
 * Adds an entry of the actor `system`, for an action of the service itself such as disabling a webhook. It is
 * independent of the entry of the request that may have triggered it.
 * @throws {Error} if `em` belongs to no transaction of `Transactions.run`
 */
export function recordSystemAudit(em: EntityManager, note: AuditRecord & { action: AuditAction }): void {
  add(pendingOf(em), note);
}

function add(
  pending: PendingAuditRow[],
  { action, object_id, before, after }: AuditRecord & { action: AuditAction },
  context?: AuditContext,
): void {
  const changes = changedFields(before, after);
  if (changes === undefined) return;
  if (context?.onBehalfOf !== undefined)
    changes.after = { ...changes.after, on_behalf_of: context.onBehalfOf };
  pending.push({ ...changes, action, object_id: object_id === null ? null : String(object_id), context });
}

/** Returns the pending entries of a transaction; empty if nothing has changed. */
const pendingOf = (em: EntityManager): PendingAuditRow[] =>
  transactionScoped(em, PENDING, () => {
    const pending: PendingAuditRow[] = [];
    return {
      value: pending,
      beforeCommit: (now) => insertAuditRows(em, pending, now),
      afterCommit: () => {
        for (const { context } of pending) if (context !== undefined) context.isRecorded = true;
      },
    };
  });
