import { Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { toCallboardError } from '../../shared/session';
import { CursorTable, useCursorList } from '../parts/tables/cursor-table';
import { useListView } from '../parts/tables/use-list-view';
import { ExportButton } from '../parts/export-button';
import { ErrorAlert } from '../parts/error-alert';
import { CallFilters } from './call-filters';
import { useCallColumns } from './use-call-columns';
import { useCallFilters } from './use-call-filters';

const PER_PAGE = 50;
/** Fields whose errors are shown at their filters. */
const FILTERS: ReadonlySet<string | undefined> = new Set(['user_id', 'end_reason', 'from', 'to']);

/** All calls in a period, newest first. */
export function CallHistory() {
  const { t } = useTranslation('panel');
  const { filters, isFiltered } = useCallFilters();
  const view = useListView('calls', useCallColumns());
  const list = useCursorList({
    queryKey: ['calls', 'history', filters],
    fetch: (cursor, signal) =>
      callboard.calls.listAll({ query: { ...filters, limit: PER_PAGE, cursor }, signal }),
  });
  const filterError = list.error === null ? undefined : toCallboardError(list.error);
  const isAtFilter = FILTERS.has(filterError?.field);
  return (
    <Flex vertical gap="middle">
      <CallFilters error={list.error} view={view} />
      <Flex justify="space-between" align="center" gap="small" wrap>
        <Typography.Text type="secondary">{t('calls.lastDays')}</Typography.Text>
        <ExportButton path="/api/admin/calls/export" query={filters} fileName="calls.csv" />
      </Flex>
      <ErrorAlert error={isAtFilter ? undefined : list.error} onRetry={list.refetch} />
      <CursorTable list={list} rowKey="call_id" view={view} isFiltered={isFiltered} />
    </Flex>
  );
}
