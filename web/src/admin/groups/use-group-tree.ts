import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callboard } from '../../shared/callboard';
import { indexed } from './model/group-tree';

/** The first part of the keys of all queries about groups. */
export const GROUPS_KEY = 'groups';
const REFETCH_MS = 30_000;
const FRESH = { refetchInterval: REFETCH_MS, refetchOnWindowFocus: 'always' } as const;

/** The tree: one document with an ETag, of which the service mostly says that it has not changed. */
export function useGroupTree() {
  const { data, error, refetch } = useQuery({
    queryKey: [GROUPS_KEY, 'tree'],
    queryFn: ({ signal }) => callboard.deviceGroups.getTree({ signal }),
    ...FRESH,
  });
  const tree = useMemo(() => data && indexed(data), [data]);
  return { tree, error, refetch };
}

export interface Counts {
  device_count: number;
  total_device_count: number;
}

/** How many devices are in each group, by its id; those that are not told of have none. */
export function useDeviceCounts(): ReadonlyMap<number, Counts> | undefined {
  const { data } = useQuery({
    queryKey: [GROUPS_KEY, 'counts'],
    queryFn: ({ signal }) => callboard.deviceGroups.getDeviceCounts({ signal }),
    ...FRESH,
  });
  return useMemo(() => data && new Map(data.map((counts) => [counts.id, counts])), [data]);
}
