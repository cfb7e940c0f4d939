import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';

const REFETCH_MS = 5_000;

/** Current activity, and the last 30 days. */
export const useOverview = () =>
  useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => callboard.statistics.getOverview({ signal }),
    refetchInterval: REFETCH_MS,
  });
