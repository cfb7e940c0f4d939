import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import { checkInteger, digitsAsNumber, field, INVALID, OneOf, Text } from '../../common/input/fields';
import { Cursor, Limit } from '../../common/input/list-fields';
import { MomentOrDay } from '../../common/input/moment-fields';
import { ACTOR_TYPES, type ActorType, MAX_OBJECT_ID } from '../entities/audit-log.entity';
import { AUDIT_ACTIONS, AUDIT_OBJECT_TYPES } from '../rules/audit-actions';

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
  /** Only what was done by one of these; `user` and `key` together with `actor_id`. */
  @OneOf(ACTOR_TYPES, { optional: true })
  actor_type?: ActorType;

  /** Only what the user, or the key, with this id has done; with a type given, the one of that type. */
  @ActorId()
  actor_id?: number;

  /** Only this action. */
  @OneOf(AUDIT_ACTIONS, { optional: true })
  action?: string;

  /** Together with `object_id`: only what was done to that object. */
  @OneOf(AUDIT_OBJECT_TYPES, { optional: (query) => (query as AuditFilterQuery).object_id === undefined })
  object_type?: string;

  /**
   * Together with `object_type`.
   * @example "1"
   */
  @Text({
    max: MAX_OBJECT_ID,
    optional: (query) => (query as AuditFilterQuery).object_type === undefined,
  })
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
   * @example "MTc2OTg0NjQwMDAwMC0xLmI4NGI3OWQ5M2NjNg"
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
