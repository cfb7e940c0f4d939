import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { PickerOption } from '../parts/remote-picker';

/**
 * Loads the name of a user whose id is in the URL. Shows the id until the name is loaded, and if the user does not
 * exist.
 */
export function usePickedUser(id: number | undefined): PickerOption | null {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    queryKey: ['users', 'picked', id],
    queryFn: ({ signal }) => callboard.users.get({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
  });
  if (id === undefined) return null;
  return { value: id, label: data?.name ?? t('parts.unnamedUser', { id }) };
}
