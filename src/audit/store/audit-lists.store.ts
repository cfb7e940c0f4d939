import type { EntityManager } from 'typeorm';
import type { TimeRange } from '../../common/day-range';
import type { MomentPosition } from '../../common/http/keyset';
import {
  allOf,
  byIndex,
  placeholders,
  type RawTimestamp,
  type SqlPart,
  toDate,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';
import type { AuditFilterQuery } from '../dto/audit-requests.dto';
import { ACTOR_TYPES, type AuditLogEntity } from '../entities/audit-log.entity';
import { AUDIT_ACTIONS, objectTypeOf } from '../rules/audit-actions.rules';

/*
 * Reads the audit log, newest first. Each filter has an index in that order, so the cost of a page does not depend on
 * the size of the log.
 */

/** Filters of the audit log; an omitted field is no condition. */
export type AuditFilter = Omit<AuditFilterQuery, 'from' | 'to'>;

/** A section of the list. */
export interface AuditSlice {
  range: TimeRange;
  /** Only rows below this position, which are older. */
  below?: MomentPosition;
  limit: number;
}

/** Returns the newest rows that match the filter. */
export async function newestAuditRows(
  em: EntityManager,
  filter: AuditFilter,
  stretch: AuditSlice,
): Promise<AuditLogEntity[]> {
  const rows: AuditLogEntity[] = [];
  for (const part of splitFilter(filter)) rows.push(...(await findPart(em, part, stretch)));
  return rows.toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id).slice(0, stretch.limit);
}

/**
 * Splits a filter into filters that together match the same rows. Each of them is a range of one index in list order.
 */
const splitFilter = (filter: AuditFilter): AuditFilter[] => byActor(filter).flatMap(byAction);

/** Splits an `actor_id` without type by type, because a user and an API key may have the same id. */
function byActor(filter: AuditFilter): AuditFilter[] {
  if (filter.actor_type !== undefined || filter.actor_id === undefined) return [filter];
  const types = ACTOR_TYPES.filter((type) => type !== 'system');
  return types.map((actor_type) => ({ ...filter, actor_type }));
}

/** Splits an `object_type` without id into its few actions. */
function byAction(filter: AuditFilter): AuditFilter[] {
  const { object_type, object_id, action: requested } = filter;
  if (object_type === undefined || object_id !== undefined) return [filter];
  const actions = AUDIT_ACTIONS.filter((action) => objectTypeOf(action) === object_type);
  return actions
    .filter((action) => requested === undefined || action === requested)
    .map((action) => ({ ...filter, action, object_type: undefined }));
}

/** Returns the most selective index. The remaining conditions are checked on its rows. */
function indexFor({ actor_type, action, object_id }: AuditFilter): string {
  if (object_id !== undefined) return 'ix_audit_log_object';
  if (actor_type !== undefined)
    return action === undefined ? 'ix_audit_log_actor' : 'ix_audit_log_actor_action';
  return action === undefined ? 'ix_audit_log_at' : 'ix_audit_log_action';
}

type RawRow = Omit<AuditLogEntity, 'id' | 'at' | 'actor_id'> & {
  id: number | string;
  at: RawTimestamp;
  actor_id: number | string | null;
};

async function findPart(
  em: EntityManager,
  filter: AuditFilter,
  stretch: AuditSlice,
): Promise<AuditLogEntity[]> {
  const { sql, parameters } = conditionsOf(em, filter, stretch);
  const rows = await em.query<RawRow[]>(
    `SELECT * FROM audit_log ${byIndex(em, indexFor(filter))}${sql} ORDER BY at DESC, id DESC LIMIT ${stretch.limit}`,
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
  { range: { from, before }, below }: AuditSlice,
): SqlPart {
  const conditions: SqlPart[] = [];
  const require = (sql: string, ...parameters: unknown[]): void => void conditions.push({ sql, parameters });
  if (actor_type !== undefined) {
    require('actor_type = ?', actor_type);
    if (actor_id === undefined) require('actor_id IS NULL');
    else require('actor_id = ?', actor_id);
  }
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) require(`${column} = ?`, value);
  if (from !== undefined) require('at >= ?', toSqlTimestamp(em, from));
  // Only one of the two upper bounds: with `before` as index bound SQLite would scan all rows of the previous pages.
  const isBelow = below !== undefined && (before === undefined || below.at < before);
  if (isBelow) {
    const at = toSqlTimestamp(em, below.at);
    require('at <= ?', at);
    require('(at < ? OR id < ?)', at, below.id);
  } else if (before !== undefined) require('at < ?', toSqlTimestamp(em, before));
  return allOf(conditions);
}

/** Deletes at most `limit` of the oldest rows from before a time. Returns their number. */
export async function trimAuditRows(em: EntityManager, before: Date, limit: number): Promise<number> {
  const rows = await em.query<{ id: number | string }[]>(
    `SELECT id FROM audit_log ${byIndex(em, 'ix_audit_log_at')} WHERE at < ? ORDER BY at, id LIMIT ${limit}`,
    [toSqlTimestamp(em, before)],
  );
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length === 0) return 0;
  return affectedBy(em, `DELETE FROM audit_log WHERE id IN (${placeholders(ids)})`, ids);
}

/** Returns the time of the oldest row; null for an empty log. */
export async function oldestAuditMoment(em: EntityManager): Promise<Date | null> {
  const [row] = await em.query<{ at: RawTimestamp }[]>('SELECT at FROM audit_log ORDER BY at, id LIMIT 1');
  return row === undefined ? null : toDate(row.at);
}
