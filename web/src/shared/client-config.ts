import { useQuery } from '@tanstack/react-query';
import type { ClientConfigResponse } from '@callboard/client';
import { callboard } from './callboard';

/** What the service tells of itself; undefined before it has, and while it cannot: what is wrong shows elsewhere. */
export const useClientConfig = (): ClientConfigResponse | undefined =>
  useQuery({
    queryKey: ['client-config'],
    queryFn: ({ signal }) => callboard.clients.getConfig({ signal }),
    staleTime: Infinity,
    retry: true,
  }).data;
