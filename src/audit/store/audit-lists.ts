import type { EntityManager } from 'typeorm';
import type { TimeRange } from '../../common/day-range';
import type { MomentPosition } from '../../common/http/keyset';
import { byIndex, placeholders, type RawMoment, toDate, toMoment } from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { ACTOR_TYPES, type ActorType, type AuditLogEntity } from '../entities/audit-log.entity';
import { AUDIT_ACTIONS, type AuditAction, type AuditObjectType, objectTypeOf } from '../rules/audit-actions';

/* The audit log, newest first: each filter has an index in that order, so a page costs the same however long the log is. */

/** Which rows are wanted; parts left out are no condition. */
export interface AuditFilter {
  actor_type?: ActorType;
  /** Without a type: of whoever has this id. */
  actor_id?: number;
  action?: AuditAction;
  object_type?: AuditObjectType;
  /** Only together with `object_type`. */
  object_id?: string;
}

/** Which stretch of the list. */
export interface AuditStretch {
  range: TimeRange;
  /** Those below, which are older. */
  below?: MomentPosition;
  most: number;
}

/** The newest rows that the filter lets through. */
export async function newestAuditRows(
  em: EntityManager,
  filter: AuditFilter,
  stretch: AuditStretch,
): Promise<AuditLogEntity[]> {
  const found: AuditLogEntity[] = [];
  for (const one of alternatives(filter)) found.push(...(await rowsOf(em, one, stretch)));
  return found.toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id).slice(0, stretch.most);
}

/** Filters that together let the same rows through, each a stretch of one index in the order of the list. */
const alternatives = (filter: AuditFilter): AuditFilter[] => byActor(filter).flatMap(byAction);

/** Users and keys may have the same ids. */
function byActor(filter: AuditFilter): AuditFilter[] {
  if (filter.actor_type !== undefined || filter.actor_id === undefined) return [filter];
  const types = ACTOR_TYPES.filter((type) => type !== 'system');
  return types.map((actor_type) => ({ ...filter, actor_type }));
}

/** What was done to things of a kind is what its actions are: there are few. */
function byAction(filter: AuditFilter): AuditFilter[] {
  const { object_type, object_id, action: wanted } = filter;
  if (object_type === undefined || object_id !== undefined) return [filter];
  const actions = AUDIT_ACTIONS.filter((action) => objectTypeOf(action) === object_type);
  return actions
    .filter((action) => wanted === undefined || action === wanted)
    .map((action) => ({ ...filter, action, object_type: undefined }));
}

/** The index that narrows most; of the rest, its rows are asked. */
function indexFor({ actor_type, action, object_id }: AuditFilter): string {
  if (object_id !== undefined) return 'ix_audit_log_object';
  if (actor_type !== undefined)
    return action === undefined ? 'ix_audit_log_actor' : 'ix_audit_log_actor_action';
  return action === undefined ? 'ix_audit_log_at' : 'ix_audit_log_action';
}

type RawRow = Omit<AuditLogEntity, 'id' | 'at' | 'actor_id'> & {
  id: number | string;
  at: RawMoment;
  actor_id: number | string | null;
};

async function rowsOf(
  em: EntityManager,
  filter: AuditFilter,
  stretch: AuditStretch,
): Promise<AuditLogEntity[]> {
  const { conditions, parameters } = conditionsOf(em, filter, stretch);
  const rows = await em.query<RawRow[]>(
    `SELECT * FROM audit_log ${byIndex(em, indexFor(filter))}
     ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY at DESC, id DESC LIMIT ${stretch.most}`,
    parameters,
  );
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    at: toDate(row.at),
    actor_id: row.actor_id === null ? null : Number(row.actor_id),
  }));
}

function conditionsOf(
  em: EntityManager,
  { actor_type, actor_id, ...equal }: AuditFilter,
  { range: { from, before }, below }: AuditStretch,
): { conditions: string[]; parameters: unknown[] } {
  const conditions: string[] = [];
  const parameters: unknown[] = [];
  const require = (condition: string, ...values: unknown[]): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (actor_type !== undefined) {
    require('actor_type = ?', actor_type);
    if (actor_id === undefined) require('actor_id IS NULL');
    else require('actor_id = ?', actor_id);
  }
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) require(`${column} = ?`, value);
  if (from !== undefined) require('at >= ?', toMoment(em, from));
  // One bound alone: by the other, SQLite would pass over all that the pages before have shown.
  const isBelow = below !== undefined && (before === undefined || below.at < before);
  if (isBelow) {
    const at = toMoment(em, below.at);
    require('at <= ?', at);
    require('(at < ? OR id < ?)', at, below.id);
  } else if (before !== undefined) require('at < ?', toMoment(em, before));
  return { conditions, parameters };
}

/** Deletes some of the oldest rows from before a moment; answers how many. */
export async function trimAuditRows(em: EntityManager, before: Date, most: number): Promise<number> {
  const rows = await em.query<{ id: number | string }[]>(
    `SELECT id FROM audit_log ${byIndex(em, 'ix_audit_log_at')} WHERE at < ? ORDER BY at, id LIMIT ${most}`,
    [toMoment(em, before)],
  );
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length === 0) return 0;
  return affectedBy(em, `DELETE FROM audit_log WHERE id IN (${placeholders(ids)})`, ids);
}

/** When the oldest row was written; null of an empty log. */
export async function oldestAuditMoment(em: EntityManager): Promise<Date | null> {
  const [row] = await em.query<{ at: RawMoment }[]>('SELECT at FROM audit_log ORDER BY at, id LIMIT 1');
  return row === undefined ? null : toDate(row.at);
}
