import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AuditEntryResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { DataTable } from '../parts/tables/data-table';
import { useListView } from '../parts/tables/use-list-view';
import { ExportButton } from '../parts/export-button';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { useAuditColumns } from './audit-columns';
import { AuditFilterBar } from './audit-filter-bar';
import { AUDIT_FILTERS, auditFiltersOf } from './audit-query';

const PER_PAGE = 20;

/** The audit log of changes under `/api/admin`, with old and new values. Filters and page are stored in the URL. */
export function AuditScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const filters = auditFiltersOf(url);
  const view = useListView('audit', useAuditColumns());
  const isFiltered = AUDIT_FILTERS.some((name) => url.text(name) !== undefined);
  const cursor = url.text('cursor');
  const { data, error, refetch, isPending, isPlaceholderData } = useQuery({
    queryKey: ['audit', filters, cursor],
    queryFn: ({ signal }) => callboard.audit.list({ query: { ...filters, cursor, limit: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    refetchOnWindowFocus: 'always',
  });
  return (
    <>
      <ScreenHeader title={t('screens.audit')}>
        <ExportButton path="/api/admin/audit/export" query={filters} fileName="audit.csv" />
      </ScreenHeader>
      <AuditFilterBar view={view} />
      <Flex vertical gap="small" aria-busy={isPlaceholderData}>
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        <DataTable<AuditEntryResponse>
          {...view}
          rowKey="id"
          rows={data?.items ?? []}
          isLoading={isPending || isPlaceholderData}
          isFailed={error !== null}
          emptyText={isFiltered ? t('parts.noneFound') : undefined}
        />
      </Flex>
      <Flex
        component="nav"
        aria-label={t('audit.pages')}
        justify="flex-end"
        gap="small"
        className="audit-pages"
      >
        <Button disabled={cursor === undefined} onClick={() => url.set({ cursor: null }, { push: true })}>
          {t('audit.newest')}
        </Button>
        <Button
          disabled={data === undefined || data.next_cursor === null || isPlaceholderData}
          onClick={() => url.set({ cursor: data?.next_cursor }, { push: true })}
        >
          {t('audit.older')}
        </Button>
      </Flex>
    </>
  );
}
