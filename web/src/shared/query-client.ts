import { QueryClient } from '@tanstack/react-query';

/** Age at which cached data is refetched when a component shows it again. */
const STALE_MS = 5_000;
/** Finished mutations are soon forgotten, because their variables can be passwords. */
const MUTATION_GC_MS = 1_000;

/** Query cache of the pages. It does not retry: the client package retries the requests that may be repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: without a network requests fail and show an error, instead of being paused without a message.
    queries: {
      retry: false,
      staleTime: STALE_MS,
      throwOnError: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always', gcTime: MUTATION_GC_MS },
  },
});
