import type { EntityManager } from 'typeorm';
import { insertRows } from '../../database/sql/statements';
import { pipeline } from '../../database/transaction-statements';
import { AuditLogEntity, MAX_ACTOR_NAME } from '../entities/audit-log.entity';
import { type AuditAction, objectTypeOf } from '../rules/audit-actions.rules';
import type { FieldChanges } from '../rules/changed-fields.rules';
import type { AuditContext } from '../recording/audit-context';

/** An audit entry to be written: of a request, or of the service itself if `context` is undefined. */
export interface PendingAuditRow extends FieldChanges {
  action: AuditAction;
  object_id: string | null;
  context?: AuditContext;
}

/**
 * Inserts the audit entries of a transaction with one statement. Returns when it is sent.
 * @param at when the transaction ends
 */
export async function insertAuditRows(
  em: EntityManager,
  notes: readonly PendingAuditRow[],
  at: Date,
): Promise<void> {
  if (notes.length === 0) return;
  const rows: Partial<AuditLogEntity>[] = [];
  for (const { action, object_id, context, before, after } of notes)
    rows.push({
      at,
      ...(await actorOf(em, context)),
      ip: context?.ip ?? null,
      request_id: context?.requestId ?? null,
      action,
      object_type: objectTypeOf(action),
      object_id,
      fields_before: before && JSON.stringify(before),
      fields_after: after && JSON.stringify(after),
    });
  pipeline(em, insertRows(em, AuditLogEntity, rows));
}

type Actor = Pick<AuditLogEntity, 'actor_type' | 'actor_id' | 'actor_name'>;

async function actorOf(em: EntityManager, context: AuditContext | undefined): Promise<Actor> {
  if (context?.actor === undefined) return { actor_type: 'system', actor_id: null, actor_name: null };
  const { type, id, name = await nameOfUser(em, id) } = context.actor;
  return { actor_type: type, actor_id: id, actor_name: name.slice(0, MAX_ACTOR_NAME) };
}

/** Reads the table directly, because `identity` depends on this module and cannot be called. */
async function nameOfUser(em: EntityManager, id: number): Promise<string> {
  const [user] = await em.query<{ name: string }[]>('SELECT name FROM users WHERE id = ?', [id]);
  return user?.name ?? '';
}
