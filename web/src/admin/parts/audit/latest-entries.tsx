import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../error-alert';
import { EntryList } from './entry-list';
import type { AuditFilters } from './names';

const LATEST = 5;

/** The latest audit entries about an object or of an actor. */
export function LatestEntries({ filters }: { filters: AuditFilters }) {
  const { t } = useTranslation('panel');
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['audit', 'latest', filters],
    queryFn: ({ signal }) => callboard.audit.list({ query: { ...filters, limit: LATEST }, signal }),
    refetchOnWindowFocus: 'always',
  });
  if (isPending) return <Skeleton active title={false} />;
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return <EntryList label={t('audit.latest')} entries={data.items} />;
}
