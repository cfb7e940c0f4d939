import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../../shared/callboard';
import type { Draft } from './draft';

/** Number of recipients of a draft; undefined until the service has responded. */
export function useRecipients({ audience, role, user_ids = [] }: Draft): number | undefined {
  const { data } = useQuery({
    queryKey: ['users', 'count', audience === 'role' ? role : 'all'],
    queryFn: async ({ signal }) => {
      const query = { per_page: 1, ...(audience === 'role' && { role }) };
      return (await callboard.users.list({ query, signal })).pagination.total;
    },
    enabled: audience !== 'picked',
  });
  return audience === 'picked' ? user_ids.length : data;
}
