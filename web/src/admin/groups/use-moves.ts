import { useCallback, useMemo, useRef, useState } from 'react';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { type GroupTree, moved, type Placement } from './model/group-tree';
import { GROUPS_KEY } from './use-group-tree';

/** Sends one drop of groups as one request. */
function send({ ids, parentId, beforeId, afterId }: Placement): Promise<unknown> {
  const body = {
    parent_id: parentId,
    ...(beforeId !== undefined && { before_id: beforeId }),
    ...(afterId !== undefined && { after_id: afterId }),
  };
  const [id, ...others] = ids;
  if (id === undefined) return Promise.resolve();
  if (others.length === 0) return callboard.deviceGroups.place({ path: { id }, body });
  return callboard.deviceGroups.move({ body: { ...body, group_ids: [...ids] } });
}

async function sendAfter(others: Promise<unknown>, placements: readonly Placement[]): Promise<void> {
  await others;
  for (const placement of placements) await send(placement);
}

/**
 * Applies moves optimistically and sends them one after another. Rejected moves are reverted; in either case the tree
 * is refetched afterwards.
 */
export function useMoves(truth: GroupTree | undefined) {
  const [pending, setPending] = useState<readonly Placement[]>([]);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const shown = useMemo(() => truth && pending.reduce(moved, truth), [pending, truth]);

  const move = useCallback(async (placements: readonly Placement[]): Promise<void> => {
    setPending((before) => [...before, ...placements]);
    const sending = sendAfter(queue.current, placements);
    queue.current = sending.catch(() => undefined);
    try {
      await sending;
    } finally {
      await queryClient.invalidateQueries({ queryKey: [GROUPS_KEY] });
      setPending((before) => before.filter((placement) => !placements.includes(placement)));
    }
  }, []);
  return { shown, move };
}
