import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import { checkInteger, digitsAsNumber, field, INVALID, OneOf, Text } from '../../common/input/fields';
import { Cursor, Limit } from '../../common/input/list-fields';
import { MomentOrDay } from '../../common/input/moment-fields';
import { ACTOR_TYPES, type ActorType, MAX_OBJECT_ID } from '../entities/audit-log.entity';
import {
  AUDIT_ACTIONS,
  AUDIT_OBJECT_TYPES,
  type AuditAction,
  type AuditObjectType,
} from '../rules/audit-actions.rules';

/** The id that belongs to `actor_type`: required for `user` and `key`, not allowed for `system`. */
const ActorId = (): PropertyDecorator =>
  field({
    optional: (query) => [undefined, 'system'].includes((query as AuditFilterQuery).actor_type),
    read: digitsAsNumber,
    check: (value, query) =>
      (query as AuditFilterQuery).actor_type === 'system'
        ? INVALID
        : checkInteger(value, 1, Number.MAX_SAFE_INTEGER),
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  });

/** Filters of the audit log (API 15.1). */
export abstract class AuditFilterQuery {
  /**
   * Only entries of actors of this type; `user` and `key` require `actor_id`.
   * @example "system"
   */
  @OneOf(ACTOR_TYPES, { optional: true })
  actor_type?: ActorType;

  /**
   * Only entries of the user or API key with this id; with `actor_type`, only of that type.
   * @example 1
   */
  @ActorId()
  actor_id?: number;

  /**
   * Only entries of this action.
   * @example "user.update"
   */
  @OneOf(AUDIT_ACTIONS, { optional: true })
  action?: AuditAction;

  /**
   * Only entries of objects of this type.
   * @example "user"
   */
  @OneOf(AUDIT_OBJECT_TYPES, { optional: (query) => (query as AuditFilterQuery).object_id === undefined })
  object_type?: AuditObjectType;

  /**
   * Only entries of the object with this id; requires `object_type`.
   * @example "1"
   */
  @Text({ max: MAX_OBJECT_ID, optional: true })
  object_id?: string;

  /** Only entries at or after this time: a timestamp, or a day of `APP_TIMEZONE`. */
  @MomentOrDay()
  from?: string;

  /** Only entries before this timestamp, or up to the end of this day. */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/audit (API 15.1). */
export class ListAuditQuery extends AuditFilterQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the previous page; default: the newest entries.
   * @example "MTc2OTg0NjQwMDAwMC00Mi5jZmVlNWUwMjE3MmQ"
   */
  @Cursor()
  cursor?: string;
}

/** GET /api/admin/audit/export (API 1.7). */
export class ExportAuditQuery extends AuditFilterQuery {
  /** `ndjson` for programs, `csv` for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}
