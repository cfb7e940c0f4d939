import { Inject, Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../common/clock';
import { type TimeRange, timeRangeOf, type TimeRangeRequest } from '../common/day-range';
import { invalidField } from '../common/errors/business-error';
import type { RowExport } from '../common/export/row-export';
import { type ListName, momentPage, type MomentPosition, readMomentCursor } from '../common/http/keyset';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import type { ExportAuditQuery, ListAuditQuery } from './dto/audit-requests.dto';
import {
  AUDIT_COLUMNS,
  type AuditEntryResponse,
  type AuditResponse,
  toAuditEntryResponse,
} from './dto/audit-responses.dto';
import { type AuditFilter, newestAuditRows } from './store/audit-lists.store';

/** Rows per query of an export. */
const EXPORT_PAGE = 200;
/**
 * An export leaves out rows younger than this. A row gets its time when its transaction ends and may become visible
 * later; no commit takes this long. So no row appears among those an export has passed, and the next export continues
 * above its first row.
 */
const SETTLED_AFTER_SECONDS = 15;

/** Reads and exports the audit log (API 15.1). */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns a page, newest first.
   * @throws {BusinessError} VALIDATION `cursor 取值无效`; `to 取值无效` if it is before `from`
   */
  async list({ limit, cursor, from, to, ...filter }: ListAuditQuery): Promise<AuditResponse> {
    const list = ['audit', ...valuesOf(filter), from, to] as const satisfies ListName;
    const below = readMomentCursor(list, cursor);
    const stretch = { range: this.#rangeOf({ from, to }), below, limit: limit + 1 };
    const found = await newestAuditRows(this.transactions.read(), filter, stretch);
    return momentPage(list, { found, limit }, (row) => row, toAuditEntryResponse);
  }

  /**
   * Exports all matching rows, newest first, except rows younger than 15 s.
   * @throws {BusinessError} VALIDATION `to 取值无效` if it is before `from`
   */
  export({ format, from, to, ...filter }: ExportAuditQuery): RowExport {
    const range = this.#rangeOf({ from, to });
    const settled = plusSeconds(this.clock.now(), -SETTLED_AFTER_SECONDS);
    const before = range.before !== undefined && range.before < settled ? range.before : settled;
    const pages = this.#pages(filter, { ...range, before });
    return { name: 'audit', format, columns: AUDIT_COLUMNS, pages };
  }

  async *#pages(filter: AuditFilter, range: TimeRange): AsyncGenerator<AuditEntryResponse[], void> {
    let below: MomentPosition | undefined;
    do {
      const stretch = { range, below, limit: EXPORT_PAGE };
      const rows = await newestAuditRows(this.transactions.read(), filter, stretch);
      yield rows.map(toAuditEntryResponse);
      below = rows.length < EXPORT_PAGE ? undefined : rows.at(-1);
    } while (below !== undefined);
  }

  #rangeOf(sent: TimeRangeRequest): TimeRange {
    const { timezone } = this.config;
    const range = timeRangeOf(sent, timezone);
    // Compares the starts of both: a range of a single day ends after it starts, and is valid.
    const { from: end } = timeRangeOf({ from: sent.to }, timezone);
    if (range.from !== undefined && end !== undefined && end < range.from)
      throw invalidField('to', 'invalid');
    return range;
  }
}

/**
 * Returns the filters in a fixed order, independent of their order in the request, because the cursor depends on them.
 */
const valuesOf = ({ actor_type, actor_id, action, object_type, object_id }: AuditFilter): unknown[] => [
  actor_type,
  actor_id,
  action,
  object_type,
  object_id,
];
