import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callboard } from '../../shared/callboard';
import { buildGroupTree } from './model/group-tree';

/** First part of all query keys about groups. */
export const GROUPS_KEY = 'groups';
const REFETCH_MS = 30_000;
const FRESH = { refetchInterval: REFETCH_MS, refetchOnWindowFocus: 'always' } as const;

/** The group tree. The response has an ETag, so that most refetches are a 304. */
export function useGroupTree() {
  const { data, error, refetch } = useQuery({
    queryKey: [GROUPS_KEY, 'tree'],
    queryFn: ({ signal }) => callboard.deviceGroups.getTree({ signal }),
    ...FRESH,
  });
  const tree = useMemo(() => data && buildGroupTree(data), [data]);
  return { tree, error, refetch };
}

export interface Counts {
  device_count: number;
  total_device_count: number;
}

/** Number of devices in each group by its id. Groups without devices have no entry. */
export function useDeviceCounts(): ReadonlyMap<number, Counts> | undefined {
  const { data } = useQuery({
    queryKey: [GROUPS_KEY, 'counts'],
    queryFn: ({ signal }) => callboard.deviceGroups.getDeviceCounts({ signal }),
    ...FRESH,
  });
  return useMemo(() => data && new Map(data.map((counts) => [counts.id, counts])), [data]);
}
