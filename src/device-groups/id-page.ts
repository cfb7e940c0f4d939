import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { offsetOf, type PageRequest } from '../common/http/page';

/**
 * The ids of one page of the rows that `matching` selects, in the order of `columns`, and how many rows there are in
 * all. Only ids are skipped over, which an index answers by itself; the page's rows are read afterwards, by id.
 */
export async function idPage<Entity extends ObjectLiteral>(
  matching: SelectQueryBuilder<Entity>,
  columns: (keyof Entity & string)[],
  request: PageRequest,
): Promise<{ ids: number[]; total: number }> {
  const offset = offsetOf(request);
  const page = matching
    .clone()
    .select(`${matching.alias}.id`, 'id')
    .orderBy(Object.fromEntries(columns.map((column) => [`${matching.alias}.${column}`, 'ASC' as const])))
    .offset(offset)
    .limit(request.per_page);
  const ids = (await page.getRawMany<{ id: number }>()).map(({ id }) => id);
  const isLast = ids.length < request.per_page && (ids.length > 0 || offset === 0);
  return { ids, total: isLast ? offset + ids.length : await matching.getCount() };
}
