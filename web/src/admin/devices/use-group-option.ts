import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { PickerOption } from '../parts/remote-picker';

const STALE_MS = 60_000;

/** Converts a group id to a picker value. It has the name once that is loaded. */
export function useGroupOption(id: number | undefined): PickerOption | null {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => callboard.deviceGroups.get({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    staleTime: STALE_MS,
  });
  return id === undefined ? null : { value: id, label: data?.name ?? t('devices.unnamedGroup', { id }) };
}
