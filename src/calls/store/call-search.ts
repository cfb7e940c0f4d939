import type { EntityManager } from 'typeorm';
import type { BoundedRange } from '../../common/day-range';
import type { MomentPosition } from '../../common/http/keyset';
import type { CallId, UserId } from '../../common/ids';
import { byIndex, toMoment, unionOfSome } from '../../database/dialect';
import { findRows } from '../../database/rows';
import { CALL_STATUSES, type CallStatus } from '../call-state';
import { CallEntity, MEDIA_TYPES, type MediaType } from '../entities/call.entity';

/*
 * All calls, newest first. Of whatever is looked for, some few stretches of one index hold it in the order of the list:
 * status and kind of media have few values, so where one of them is left open, each value is a stretch of its own, and a
 * user's calls are those that the user placed and those that others placed. A page takes the newest of each, and then of all.
 */

/** Which calls are wanted; parts left out are no condition. */
export interface CallFilter extends BoundedRange {
  /** One of the two users. */
  user_id?: number;
  status?: CallStatus;
  end_reason?: string;
  media_type?: MediaType;
}

/** Calls with these values, in their order: all that an index has. */
interface Stretch {
  index: string;
  values: Record<string, string | number>;
}

/**
 * The newest calls that are wanted.
 * @param after those that follow this one, which are older
 */
export async function newestCalls(
  em: EntityManager,
  filter: CallFilter,
  after: MomentPosition | undefined,
  most: number,
): Promise<CallEntity[]> {
  const [range, bounds] = rangeOf(em, filter, after);
  const stretches = stretchesOf(filter);
  const selects = stretches.map(({ index, values }) => {
    const conditions = [...Object.keys(values).map((column) => `${column} = ?`), range].join(' AND ');
    return `SELECT id, created_at FROM calls ${byIndex(em, index)} WHERE ${conditions}
            ORDER BY created_at DESC, id DESC LIMIT ${most}`;
  });
  const rows = await em.query<{ id: number | string }[]>(
    `${unionOfSome(em, selects)} ORDER BY created_at DESC, id DESC LIMIT ${most}`,
    stretches.flatMap(({ values }) => [...Object.values(values), ...bounds]),
  );
  if (rows.length === 0) return [];
  const calls = await findRows(em, CallEntity, { id: rows.map(({ id }) => Number(id) as CallId) });
  return calls.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id);
}

/** The condition on when calls were made, and its parameters. */
function rangeOf(
  em: EntityManager,
  { from, before }: CallFilter,
  after: MomentPosition | undefined,
): [condition: string, parameters: unknown[]] {
  const conditions = ['created_at >= ?'];
  const parameters: unknown[] = [toMoment(em, from)];
  if (before !== undefined) {
    conditions.push('created_at < ?');
    parameters.push(toMoment(em, before));
  }
  if (after !== undefined) {
    const at = toMoment(em, after.at);
    conditions.push('created_at <= ?', '(created_at < ? OR id < ?)');
    parameters.push(at, at, after.id);
  }
  return [conditions.join(' AND '), parameters];
}

function stretchesOf({ user_id, status, end_reason, media_type }: CallFilter): Stretch[] {
  const kinds = (status === undefined ? CALL_STATUSES : [status]).flatMap((one) =>
    (media_type === undefined ? MEDIA_TYPES : [media_type]).map((media) => ({
      status: one,
      media_type: media,
    })),
  );
  if (user_id !== undefined) {
    return (['caller', 'callee'] as const).flatMap((side): Stretch[] => {
      const user = { [`${side}_id`]: user_id as UserId };
      if (end_reason === undefined)
        return kinds.map((kind) => ({ index: `ix_calls_${side}`, values: { ...user, ...kind } }));
      // Why a call ended says nearly always how: the rest is looked for among a user's calls with this reason.
      const rest = { ...(status && { status }), ...(media_type && { media_type }) };
      return [{ index: `ix_calls_${side}_reason`, values: { ...user, end_reason, ...rest } }];
    });
  }
  if (end_reason !== undefined)
    return kinds.map((kind) => ({ index: 'ix_calls_reason', values: { end_reason, ...kind } }));
  if (status === undefined && media_type === undefined) return [{ index: 'ix_calls_created', values: {} }];
  return kinds.map((kind) => ({ index: 'ix_calls_status', values: kind }));
}
