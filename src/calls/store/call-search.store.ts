import type { EntityManager } from 'typeorm';
import type { BoundedRange } from '../../common/day-range';
import type { MomentPosition } from '../../common/http/keyset';
import type { CallId, UserId } from '../../common/ids';
import { byIndex, toSqlTimestamp, unionOfSome } from '../../database/sql/dialect';
import { findRows } from '../../database/sql/statements';
import { CALL_STATUSES } from '../rules/call-state.rules';
import type { SearchCallsQuery } from '../dto/search-calls.dto';
import { CallEntity, MEDIA_TYPES } from '../entities/call.entity';

/*
 * Search over all calls, newest first. Every filter is covered by a few ranges of one index, each in the order of the
 * list: `status` and `media_type` have few values, so if one of them is not filtered, each value is a range of its own;
 * a user's calls are the placed and the received ones. A page takes the newest rows of each range, and merges them.
 */

/** Filters on calls; omitted fields are not filtered. */
export interface CallFilter extends Omit<SearchCallsQuery, 'from' | 'to'>, BoundedRange {}

/** The range of an index that contains the calls with these values, in list order. */
interface IndexRange {
  index: string;
  values: Record<string, string | number>;
}

/**
 * Returns the newest matching calls.
 * @param after only calls behind this position, which are older
 */
export async function newestCalls(
  em: EntityManager,
  filter: CallFilter,
  after: MomentPosition | undefined,
  limit: number,
): Promise<CallEntity[]> {
  const [range, bounds] = rangeOf(em, filter, after);
  const ranges = indexRangesFor(filter);
  const selects = ranges.map(({ index, values }) => {
    const conditions = [...Object.keys(values).map((column) => `${column} = ?`), range].join(' AND ');
    return `SELECT id, created_at FROM calls ${byIndex(em, index)} WHERE ${conditions}
            ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  });
  const rows = await em.query<{ id: number | string }[]>(
    `${unionOfSome(em, selects)} ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
    ranges.flatMap(({ values }) => [...Object.values(values), ...bounds]),
  );
  if (rows.length === 0) return [];
  const calls = await findRows(em, CallEntity, { id: rows.map(({ id }) => Number(id) as CallId) });
  return calls.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id);
}

/** Returns the condition on `created_at`, and its parameters. */
function rangeOf(
  em: EntityManager,
  { from, before }: CallFilter,
  after: MomentPosition | undefined,
): [condition: string, parameters: unknown[]] {
  const conditions = ['created_at >= ?'];
  const parameters: unknown[] = [toSqlTimestamp(em, from)];
  if (before !== undefined) {
    conditions.push('created_at < ?');
    parameters.push(toSqlTimestamp(em, before));
  }
  if (after !== undefined) {
    const at = toSqlTimestamp(em, after.at);
    conditions.push('created_at <= ?', '(created_at < ? OR id < ?)');
    parameters.push(at, at, after.id);
  }
  return [conditions.join(' AND '), parameters];
}

function indexRangesFor({ user_id, status, end_reason, media_type }: CallFilter): IndexRange[] {
  const kinds = (status === undefined ? CALL_STATUSES : [status]).flatMap((eachStatus) =>
    (media_type === undefined ? MEDIA_TYPES : [media_type]).map((media) => ({
      status: eachStatus,
      media_type: media,
    })),
  );
  if (user_id !== undefined) {
    return (['caller', 'callee'] as const).flatMap((side): IndexRange[] => {
      const user = { [`${side}_id`]: user_id as UserId };
      if (end_reason === undefined)
        return kinds.map((kind) => ({ index: `ix_calls_${side}`, values: { ...user, ...kind } }));
      // A reason nearly always implies the status: the other filters are checked on the user's calls with this reason.
      const otherFilters = { ...(status && { status }), ...(media_type && { media_type }) };
      return [{ index: `ix_calls_${side}_reason`, values: { ...user, end_reason, ...otherFilters } }];
    });
  }
  if (end_reason !== undefined)
    return kinds.map((kind) => ({ index: 'ix_calls_reason', values: { end_reason, ...kind } }));
  if (status === undefined && media_type === undefined) return [{ index: 'ix_calls_created', values: {} }];
  return kinds.map((kind) => ({ index: 'ix_calls_status', values: kind }));
}
