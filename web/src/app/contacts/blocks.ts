import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { personQuery } from '../calls/person-query';
import { useEvents } from '../use-events';

const refetch = async (keys: readonly string[]): Promise<void> => {
  await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
};

/** Blocks a user, or ends the block. */
export async function setBlocked(id: number, isBlocked: boolean): Promise<void> {
  const path = { id };
  await (isBlocked ? callboard.people.blockUser({ path }) : callboard.people.unblockUser({ path }));
  await refetch(['person', 'blocks', 'presence']);
}

/** Refetches profiles and blocks when another device of the user changes a block or the user. */
export function useBlockEvents(): void {
  useEvents(({ type }) => {
    if (type === 'user.block_changed' || type === 'user.updated') void refetch(['person', 'blocks']);
  });
}

/** Whether the user has blocked the other user; false while that is unknown, and for null. */
export function useIsBlocked(userId: number | null): boolean {
  useBlockEvents();
  const { data } = useQuery({ ...personQuery(userId ?? 0), enabled: userId !== null });
  return userId !== null && data?.is_blocked === true;
}

/** Like `useIsBlocked`, once. */
export const isKnownAsBlocked = (userId: number): boolean =>
  queryClient.getQueryData(personQuery(userId).queryKey)?.is_blocked === true;
