import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../../shared/callboard';
import type { Draft } from './draft';

interface Recipients {
  /** Undefined while the count is loading, and if it has failed. */
  count: number | undefined;
  isLoading: boolean;
}

/** Number of recipients of a draft. */
export function useRecipients({ audience, role, user_ids = [] }: Draft): Recipients {
  const { data, isLoading } = useQuery({
    queryKey: ['users', 'count', audience === 'role' ? role : 'all'],
    queryFn: async ({ signal }) => {
      const query = { per_page: 1, ...(audience === 'role' && { role }) };
      return (await callboard.users.list({ query, signal })).pagination.total;
    },
    enabled: audience !== 'picked',
  });
  return audience === 'picked' ? { count: user_ids.length, isLoading: false } : { count: data, isLoading };
}
