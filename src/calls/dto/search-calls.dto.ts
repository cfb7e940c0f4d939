import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import { OneOf, QueryId, Text } from '../../common/input/fields';
import { Cursor, Limit } from '../../common/input/list-fields';
import { MomentOrDay } from '../../common/input/moment-fields';
import { CALL_STATUSES, type CallStatus } from '../call-state';
import { MEDIA_TYPES, type MediaType } from '../entities/call.entity';
import { AdminCallResponse } from './admin-call.dto';

/** Of the column, in characters. */
const REASON_LENGTH = 64;

/** Which of all calls are wanted (contract 14.2). */
export class SearchCallsQuery {
  /** Only calls that this user placed, or was called in. */
  @QueryId()
  user_id?: number;

  /**
   * Only calls that stand so.
   * @example "ended"
   */
  @OneOf(CALL_STATUSES, { optional: true })
  status?: CallStatus;

  /**
   * Only calls that ended for this reason, to the letter.
   * @example "local_hangup"
   */
  @Text({ max: REASON_LENGTH, optional: true })
  end_reason?: string;

  /** Only calls of this kind. */
  @OneOf(MEDIA_TYPES, { optional: true })
  media_type?: MediaType;

  /**
   * Only calls placed then or later: a moment, or a day of `APP_TIMEZONE`; left out: in the 30 days before `to`, or before now.
   * @example "2100-01-01"
   */
  @MomentOrDay()
  from?: string;

  /**
   * Only calls placed before this moment, or up to the end of this day; at most 366 days after `from`.
   * @example "2100-12-31"
   */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/calls (contract 14.2). */
export class ListAllCallsQuery extends SearchCallsQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the page before; left out: the newest.
   * @example "NDEwMjQ0NDgwMDAwMC00Mi4xMDFiZjI2MGM5MmI"
   */
  @Cursor()
  cursor?: string;
}

/** GET /api/admin/calls/export (contract 14.2). */
export class ExportCallsQuery extends SearchCallsQuery {
  /** What a line is: JSON, or CSV for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}

/** The columns of CSV: the fields of the record. */
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
