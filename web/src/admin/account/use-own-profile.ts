import { useQuery } from '@tanstack/react-query';
import type { ChangeProfileRequest, OwnUserResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { useUser } from '../../shared/sign-in/user-context';

const KEY = ['me'] as const;

/** Name and picture of the signed-in administrator: as of the sign-in, until the account screen has loaded or changed them. */
export function useOwnProfile(): { name: string; avatar: string | null } {
  const user = useUser();
  const { data } = useQuery({ ...ownProfileQuery, enabled: false });
  return data?.id === user.id ? { name: data.name, avatar: data.avatar } : user;
}

export const ownProfileQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => callboard.identity.getCurrentUser({ signal }),
};

export async function changeOwnProfile(body: ChangeProfileRequest): Promise<OwnUserResponse> {
  const changed = await callboard.identity.changeProfile({ body });
  queryClient.setQueryData(KEY, changed);
  return changed;
}
