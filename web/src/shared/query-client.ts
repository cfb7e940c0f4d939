import { QueryClient } from '@tanstack/react-query';

/** What was fetched so long ago is asked for again when it is shown anew. */
const STALE_MS = 5_000;

/** What the pages have fetched. The client package sends again what may be; here nothing is tried twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network they fail, and that is shown; paused ones would say nothing.
    queries: {
      retry: false,
      staleTime: STALE_MS,
      throwOnError: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
