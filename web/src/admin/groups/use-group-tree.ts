import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { buildGroupTree } from './model/group-tree';

/** First part of all query keys about groups. */
export const GROUPS_KEY = 'groups';
/** Queries that change with a group: the groups, and the audit entries that a group shows. */
export const GROUP_QUERIES = [GROUPS_KEY, 'audit'] as const;
const REFETCH_MS = 30_000;
const FRESH = { refetchInterval: REFETCH_MS, refetchOnWindowFocus: 'always' } as const;

/** Refetches everything that changes with a group. */
export async function refetchGroups(): Promise<void> {
  await Promise.all(GROUP_QUERIES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}

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
