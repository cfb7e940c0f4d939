import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AdminUserResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';

/** A user as it was fetched last; the key under which all of the panel keeps it. */
export const userQuery = (id: number) => ({
  queryKey: ['users', 'one', id] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<AdminUserResponse> =>
    callboard.users.get({ path: { id }, signal }),
});

/** Whom one may have forgotten a name of within this time: what was fetched is asked for again. */
const NAME_STALE_MS = 60_000;

/** The name of a user, as soon as it is known: people are never shown as numbers alone. */
export function useUserName(id: number): string {
  const { t } = useTranslation('panel');
  const { data } = useQuery({ ...userQuery(id), staleTime: NAME_STALE_MS });
  return data?.name ?? t('parts.unnamedUser', { id });
}

/** A user by name, which leads to everything about them. */
export function UserName({ id }: { id: number }) {
  return <Link href={`/users?user=${id}`}>{useUserName(id)}</Link>;
}
