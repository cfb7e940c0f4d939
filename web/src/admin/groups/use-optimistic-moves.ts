import { useCallback, useMemo, useRef, useState } from 'react';
import { callboard } from '../../shared/callboard';
import { type GroupTree, applyMove, type Placement } from './model/group-tree';
import { refetchGroups } from './use-group-tree';

/** Sends one drop of groups as one request. */
function send({ ids, parentId, beforeId, afterId }: Placement): Promise<unknown> {
  const body = {
    parent_id: parentId,
    ...(beforeId !== undefined && { before_id: beforeId }),
    ...(afterId !== undefined && { after_id: afterId }),
  };
  const [id, ...rest] = ids;
  if (id === undefined) return Promise.resolve();
  if (rest.length === 0) return callboard.deviceGroups.place({ path: { id }, body });
  return callboard.deviceGroups.move({ body: { ...body, group_ids: [...ids] } });
}

async function sendInOrder(rest: Promise<unknown>, placements: readonly Placement[]): Promise<void> {
  await rest;
  for (const placement of placements) await send(placement);
}

/**
 * Applies moves optimistically and sends them one after another. Rejected moves are reverted; in either case the tree
 * is refetched afterwards.
 */
export function useOptimisticMoves(serverTree: GroupTree | undefined) {
  const [pending, setPending] = useState<readonly Placement[]>([]);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const tree = useMemo(() => serverTree && pending.reduce(applyMove, serverTree), [pending, serverTree]);

  const move = useCallback(async (placements: readonly Placement[]): Promise<void> => {
    setPending((before) => [...before, ...placements]);
    const sending = sendInOrder(queue.current, placements);
    queue.current = sending.catch(() => undefined);
    try {
      await sending;
    } finally {
      await refetchGroups();
      setPending((before) => before.filter((placement) => !placements.includes(placement)));
    }
  }, []);
  return { shown: tree, move };
}
