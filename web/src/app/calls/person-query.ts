import { queryOptions } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';

/** Somebody's profile as oneself may see it, with what stands between the two. */
export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => callboard.people.getProfile({ path: { id }, signal }),
  });
