import { queryOptions } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';

/** Query for a user's profile, with the signed-in user's block of the user and their single chat. */
export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => callboard.people.getProfile({ path: { id }, signal }),
  });
