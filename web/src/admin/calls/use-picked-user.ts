import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { Pick } from '../parts/remote-picker';

/** A user of whom the address says the id alone, by name; by the id until it is known, and where there is no such user. */
export function usePickedUser(id: number | undefined): Pick | null {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    queryKey: ['users', 'picked', id],
    queryFn: ({ signal }) => callboard.users.get({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
  });
  if (id === undefined) return null;
  return { value: id, label: data?.name ?? t('parts.unnamedUser', { id }) };
}
