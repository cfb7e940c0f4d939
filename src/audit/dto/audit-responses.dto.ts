import { TimestampField } from '../../openapi/response-fields';
import type { ActorType, AuditLogEntity } from '../entities/audit-log.entity';

/** An entry of the audit log (API 15.1). */
export class AuditEntryResponse {
  id!: number;
  /** When the change was made. */
  @TimestampField()
  at!: string;
  /**
   * The type of actor: `user` (with a token), `key` (a backend with an API key) or `system` (the service itself).
   * @example "user"
   */
  actor_type!: ActorType;
  /**
   * The id of the user or API key; null for `system`.
   * @example 1
   */
  actor_id!: number | null;
  /**
   * The name of the user or API key at that time; null for `system`.
   * @example "张三"
   */
  actor_name!: string | null;
  /**
   * The client address of the request; null for `system`.
   * @example "192.0.2.7"
   */
  ip!: string | null;
  /**
   * The `X-Request-Id` of the request; null for `system`.
   * @example "0f8fad5b-d9cb-469f-a165-70867728950e"
   */
  request_id!: string | null;
  /**
   * The action, as `noun.verb`.
   * @example "user.update"
   */
  action!: string;
  /**
   * The type of the object: the noun of the action.
   * @example "user"
   */
  object_type!: string;
  /**
   * The id of the object; null for several objects, or for none in particular.
   * @example "2"
   */
  object_id!: string | null;
  /**
   * The changed fields before the change; null for a new object. Secrets are `***`, texts are cut to 500 characters.
   * @example {"status": 1}
   */
  before!: Record<string, unknown> | null;
  /**
   * The same fields after the change; null for a deleted object. For several objects their number and ids; for an API
   * key that acts as a user also `on_behalf_of`.
   * @example {"status": 0}
   */
  after!: Record<string, unknown> | null;
}

/** A page of the audit log, newest first. */
export class AuditResponse {
  items!: AuditEntryResponse[];
  /**
   * The cursor of the next page; null on the last page.
   * @example "MTc2OTg0NjQwMDAwMC00Mi5jZmVlNWUwMjE3MmQ"
   */
  next_cursor!: string | null;
}

/** The columns of the CSV export. */
export const AUDIT_COLUMNS = [
  'id',
  'at',
  'actor_type',
  'actor_id',
  'actor_name',
  'ip',
  'request_id',
  'action',
  'object_type',
  'object_id',
  'before',
  'after',
] as const satisfies readonly (keyof AuditEntryResponse)[];

const parsed = (json: string | null): Record<string, unknown> | null =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>);

export const toAuditEntryResponse = (row: AuditLogEntity): AuditEntryResponse => ({
  id: row.id,
  at: row.at.toISOString(),
  actor_type: row.actor_type,
  actor_id: row.actor_id,
  actor_name: row.actor_name,
  ip: row.ip,
  request_id: row.request_id,
  action: row.action,
  object_type: row.object_type,
  object_id: row.object_id,
  before: parsed(row.fields_before),
  after: parsed(row.fields_after),
});
