import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { Pick } from '../parts/remote-picker';

const STALE_MS = 60_000;

/** A group that is known by its number, with its name as soon as there is one: in a picker it stands by it. */
export function useGroupPick(id: number | undefined): Pick | null {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => callboard.deviceGroups.get({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    staleTime: STALE_MS,
  });
  return id === undefined ? null : { value: id, label: data?.name ?? t('devices.unnamedGroup', { id }) };
}
