import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import { OneOf, QueryId, Text } from '../../common/input/fields';
import { Cursor, Limit } from '../../common/input/list-fields';
import { MomentOrDay } from '../../common/input/moment-fields';
import { CALL_STATUSES, type CallStatus } from '../rules/call-state.rules';
import { MEDIA_TYPES, type MediaType } from '../entities/call.entity';
import { AdminCallResponse } from './call-record.dto';

/** Length of the column `end_reason`, in characters. */
const REASON_LENGTH = 64;

/** Filters on all calls (API 15.2). */
export class SearchCallsQuery {
  /** Only calls that this user placed or received. */
  @QueryId()
  user_id?: number;

  /**
   * Only calls with this status.
   * @example "ended"
   */
  @OneOf(CALL_STATUSES, { optional: true })
  status?: CallStatus;

  /**
   * Only calls with exactly this end reason.
   * @example "local_hangup"
   */
  @Text({ max: REASON_LENGTH, optional: true })
  end_reason?: string;

  /** Only calls with this media type. */
  @OneOf(MEDIA_TYPES, { optional: true })
  media_type?: MediaType;

  /**
   * Only calls placed at this time or later: a timestamp, or a day in `APP_TIMEZONE`. Default: 30 days before `to`, or
   * before now.
   * @example "2100-01-01"
   */
  @MomentOrDay()
  from?: string;

  /**
   * Only calls placed before this timestamp, or until the end of this day; at most 366 days after `from`.
   * @example "2100-12-31"
   */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/calls (API 15.2). */
export class ListAllCallsQuery extends SearchCallsQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the previous page; omitted: the first page.
   * @example "NDEwMjQ0NDgwMDAwMC00Mi4xMDFiZjI2MGM5MmI"
   */
  @Cursor()
  cursor?: string;
}

/** GET /api/admin/calls/export (API 15.2). */
export class ExportCallsQuery extends SearchCallsQuery {
  /** Format of a line: JSON, or CSV for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}

/** The CSV columns: the fields of the record. */
export const CALL_COLUMNS = [
  'call_id',
  'media_type',
  'status',
  'end_reason',
  'ended_by',
  'version',
  'caller.id',
  'caller.name',
  'caller.avatar',
  'callee.id',
  'callee.name',
  'callee.avatar',
  'channel_name',
  'created_at',
  'ring_expires_at',
  'accepted_at',
  'started_at',
  'ended_at',
  'duration',
  'missed',
  'caller_uid',
  'callee_uid',
] as const;

/** A page of all calls, newest first. */
export class AdminCallsResponse {
  items!: AdminCallResponse[];
  next_cursor!: string | null;
}
