import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { offsetOf, type PageRequest } from '../common/http/page';

/**
 * The ids (in no order of their own) of one page of the rows that `matching` selects, sorted by `columns`, and how
 * many rows there are in all. Only ids are skipped over, which an index answers by itself, and from the end that is
 * nearer; the page's rows are read afterwards, by id. So the last page costs what the first one does.
 */
export async function idPage<Entity extends ObjectLiteral>(
  matching: SelectQueryBuilder<Entity>,
  columns: (keyof Entity & string)[],
  request: PageRequest,
): Promise<{ ids: number[]; total: number }> {
  const total = await matching.getCount();
  const { offset, limit, backwards } = fromNearerEnd(request, total);
  if (limit === 0) return { ids: [], total };
  const direction = backwards ? 'DESC' : 'ASC';
  const rows = await matching
    .clone()
    .select(`${matching.alias}.id`, 'id')
    .orderBy(Object.fromEntries(columns.map((column) => [`${matching.alias}.${column}`, direction] as const)))
    .offset(offset)
    .limit(limit)
    .getRawMany<{ id: number }>();
  return { ids: rows.map(({ id }) => id), total };
}

/** Where a page lies in a list of `total`, counted from its nearer end; `backwards` in the opposite order. */
export function fromNearerEnd(
  request: PageRequest,
  total: number,
): { offset: number; limit: number; backwards: boolean } {
  const before = offsetOf(request);
  const limit = Math.max(0, Math.min(request.per_page, total - before));
  const after = total - before - limit;
  return { offset: Math.max(0, Math.min(before, after)), limit, backwards: after < before };
}
