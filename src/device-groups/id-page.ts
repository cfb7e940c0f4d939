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
  const before = offsetOf(request);
  const size = Math.min(request.per_page, total - before);
  if (size <= 0) return { ids: [], total };
  const after = total - before - size;
  const direction = after < before ? 'DESC' : 'ASC';
  const rows = await matching
    .clone()
    .select(`${matching.alias}.id`, 'id')
    .orderBy(Object.fromEntries(columns.map((column) => [`${matching.alias}.${column}`, direction] as const)))
    .offset(Math.min(before, after))
    .limit(size)
    .getRawMany<{ id: number }>();
  return { ids: rows.map(({ id }) => id), total };
}
