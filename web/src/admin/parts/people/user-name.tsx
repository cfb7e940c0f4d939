import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AdminUserResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';

/** Query of a user, under the key with which the whole panel caches it. */
export const userQuery = (id: number) => ({
  queryKey: ['users', 'one', id] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<AdminUserResponse> =>
    callboard.users.get({ path: { id }, signal }),
});

/** Names older than this are refetched. */
const NAME_STALE_MS = 60_000;

/** Returns the name of a user once it is loaded; '' without an id. Users are never shown by id alone. */
export function useUserName(id: number | undefined): string {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    ...userQuery(id ?? 0),
    staleTime: NAME_STALE_MS,
    enabled: id !== undefined,
  });
  return data?.name ?? (id === undefined ? '' : t('parts.unnamedUser', { id }));
}

/** The name of a user, linked to the user's drawer. */
export function UserName({ id }: { id: number }) {
  return <Link href={`/users?user=${id}`}>{useUserName(id)}</Link>;
}
