import { useQuery } from '@tanstack/react-query';
import type { ClientConfigResponse } from '@callboard/client';
import { callboard } from './callboard';

/** Returns the client configuration of the service; undefined until it is fetched. Errors are retried, and shown elsewhere. */
export const useClientConfig = (): ClientConfigResponse | undefined =>
  useQuery({
    queryKey: ['client-config'],
    queryFn: ({ signal }) => callboard.clients.getConfig({ signal }),
    staleTime: Infinity,
    retry: true,
  }).data;
