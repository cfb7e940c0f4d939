import type { HealthItemResponse } from '@callboard/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { HEALTH } from '../i18n/en/health';

const REFETCH_MS = 10_000;
/** Components; everything else in the response is a job (docs/administration.md). */
const PARTS = new Set([
  'database',
  'outbox',
  'push',
  'push_apns',
  'push_apns_voip',
  'push_fcm',
  'push_webpush',
  'push_gateway',
  'redis',
  'webhooks',
]);

/** State of the service's components, and of the jobs of the instance that responded. */
export function useHealth() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => callboard.system.getHealth({ signal }),
    refetchInterval: REFETCH_MS,
  });
  const items: HealthItemResponse[] = data?.items ?? [];
  return {
    parts: items.filter(({ name }) => PARTS.has(name)),
    jobs: items.filter(({ name }) => !PARTS.has(name)),
    down: items.filter(({ status }) => status === 'down'),
    isKnown: data !== undefined,
    isPending,
    error,
    refetch,
  };
}

type Known = keyof typeof HEALTH.names;

/**
 * Returns the label of a component or job. Names that this version of the panel does not know are returned unchanged.
 */
export function useHealthName(): (name: string) => string {
  const { t, i18n } = useTranslation('panel');
  return (name) => (i18n.exists(`panel:health.names.${name}`) ? t(`health.names.${name as Known}`) : name);
}
