import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { MeResponse } from '@callboard/client';
import { callboard } from '../shared/callboard';
import { queryClient } from '../shared/query-client';
import { useUser } from '../shared/sign-in/user-context';

const ME: QueryKey = ['me'];

/** Returns the user's current record; the one of the log-in until it is fetched. */
export function useMe(): Pick<MeResponse, 'id' | 'account' | 'name' | 'avatar'> & Partial<MeResponse> {
  const user = useUser();
  const { data } = useQuery({
    queryKey: ME,
    queryFn: ({ signal }) => callboard.identity.getCurrentUser({ signal }),
  });
  return data?.id === user.id
    ? data
    : { id: user.id, account: user.account, name: user.name, avatar: user.avatar };
}

/** Stores the user's record from the response to a change. */
export const setMe = (me: MeResponse): void => void queryClient.setQueryData(ME, me);

/** Refetches the user's record after a change on this or another device. */
export const refreshMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ME });
