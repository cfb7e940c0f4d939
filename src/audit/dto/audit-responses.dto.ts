import { AnyObject, Moment } from '../../openapi/response-fields';
import type { ActorType, AuditLogEntity } from '../entities/audit-log.entity';

/** Something that was done (contract 14.1). */
export class AuditEntryResponse {
  id!: number;
  /** When it was done. */
  @Moment()
  at!: string;
  /**
   * Who did it: `user` (with a token), `key` (a back end) or `system` (the service itself).
   * @example "user"
   */
  actor_type!: ActorType;
  /**
   * The id of the user or the key; null of the service itself.
   * @example 1
   */
  actor_id!: number | null;
  /**
   * The name of the user or the key, as it was then; null of the service itself.
   * @example "张三"
   */
  actor_name!: string | null;
  /**
   * The address that it was done from; null of the service itself.
   * @example "192.0.2.7"
   */
  ip!: string | null;
  /**
   * The `X-Request-Id` of the request; null of the service itself.
   * @example "0f8fad5b-d9cb-469f-a165-70867728950e"
   */
  request_id!: string | null;
  /**
   * What was done, as `noun.verb`.
   * @example "user.update"
   */
  action!: string;
  /**
   * To what kind of thing: the noun of the action.
   * @example "user"
   */
  object_type!: string;
  /**
   * To which one; null where there are several, or none in particular.
   * @example "2"
   */
  object_id!: string | null;
  /**
   * The fields that were changed, as they were; null of something new. Secrets are `***`, texts have 500 characters at most.
   * @example {"status": 1}
   */
  @AnyObject()
  before!: Record<string, unknown> | null;
  /**
   * The same fields as they are since; null of something deleted. Of several things how many, and which; where a key acts as
   * a user, `on_behalf_of`.
   * @example {"status": 0}
   */
  @AnyObject()
  after!: Record<string, unknown> | null;
}

/** A page of the audit log, newest first. */
export class AuditResponse {
  items!: AuditEntryResponse[];
  /**
   * Asks for the next page; null at the end.
   * @example "MTc2OTg0NjQwMDAwMC00Mi5jZmVlNWUwMjE3MmQ"
   */
  next_cursor!: string | null;
}

/** The columns of the audit log as CSV. */
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
