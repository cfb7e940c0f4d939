import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { MeResponse } from '@callboard/client';
import { callboard } from '../shared/callboard';
import { queryClient } from '../shared/query-client';
import { useUser } from '../shared/sign-in/user-context';

const ME: QueryKey = ['me'];

/** The user's own record as it is now, and not as it was at the log-in. */
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

/** Takes over what the service says of the user after a change. */
export const setMe = (me: MeResponse): void => void queryClient.setQueryData(ME, me);

/** The user's record has changed, here or elsewhere. */
export const refreshMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ME });
