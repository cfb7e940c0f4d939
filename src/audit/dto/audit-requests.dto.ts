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
} from '../rules/audit-actions';

/** The id that goes with `actor_type`; the service itself has none. */
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

/** What narrows the audit log (contract 14.1). */
abstract class AuditFilterQuery {
  /**
   * Only what was done by one of these; `user` and `key` together with `actor_id`.
   * @example "system"
   */
  @OneOf(ACTOR_TYPES, { optional: true })
  actor_type?: ActorType;

  /**
   * Only what the user, or the key, with this id has done; with a type given, the one of that type.
   * @example 1
   */
  @ActorId()
  actor_id?: number;

  /**
   * Only this action.
   * @example "user.update"
   */
  @OneOf(AUDIT_ACTIONS, { optional: true })
  action?: AuditAction;

  /**
   * Only what was done to things of this kind.
   * @example "user"
   */
  @OneOf(AUDIT_OBJECT_TYPES, { optional: (query) => (query as AuditFilterQuery).object_id === undefined })
  object_type?: AuditObjectType;

  /**
   * Together with `object_type`: only what was done to this one.
   * @example "1"
   */
  @Text({ max: MAX_OBJECT_ID, optional: true })
  object_id?: string;

  /** Only what happened then or later: a moment, or a day of `APP_TIMEZONE`. */
  @MomentOrDay()
  from?: string;

  /** Only what happened before this moment, or up to the end of this day. */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/audit (contract 14.1). */
export class ListAuditQuery extends AuditFilterQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the page before; left out: the newest.
   * @example "MTc2OTg0NjQwMDAwMC00Mi5jZmVlNWUwMjE3MmQ"
   */
  @Cursor()
  cursor?: string;
}

/** GET /api/admin/audit/export (contract 14.1). */
export class ExportAuditQuery extends AuditFilterQuery {
  /** `ndjson` for programs, `csv` for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}
