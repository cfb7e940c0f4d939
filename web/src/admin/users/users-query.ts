import type { ListUsersData } from '@callboard/client';
import type { UrlState } from '../../shared/url-state';
import { isReversed } from '../parts/filters/day-range';
import { oneOf } from '../parts/filters/one-of';

export type UsersQuery = Omit<NonNullable<ListUsersData['query']>, 'page' | 'per_page'>;

export const ROLES = ['user', 'admin'] as const;
export const SORTED_BY = ['id', 'account', 'created_at', 'last_seen_at'] as const;
const SORTS = SORTED_BY.flatMap((field) => [field, `-${field}`] as const);

/** Names of the user list filters in the URL. */
export const USER_FILTERS = ['keyword', 'external_id', 'role', 'status', 'online', 'from', 'to'] as const;

/** Reads the query of the user list from the URL. Invalid values are left out. */
export function usersQueryOf(url: UrlState): UsersQuery {
  const [from, to] = [url.text('from'), url.text('to')];
  const status = oneOf(['0', '1'], url.text('status'));
  return {
    keyword: url.text('keyword'),
    external_id: url.text('external_id'),
    role: oneOf(ROLES, url.text('role')),
    status: status === undefined ? undefined : status === '1' ? 1 : 0,
    online: url.text('online') === '1' ? 1 : undefined,
    sort: oneOf(SORTS, url.text('sort')),
    ...(!isReversed(from, to) && { from, to }),
  };
}
