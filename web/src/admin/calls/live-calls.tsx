import { useQuery } from '@tanstack/react-query';
import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { ErrorAlert } from '../parts/error-alert';
import { useCallColumns } from './use-call-columns';
import { FilterBar } from '../parts/filters/filter-bar';
import { DataTable } from '../parts/tables/data-table';
import { useListView } from '../parts/tables/use-list-view';

const LIVE = ['ringing', 'accepted', 'ongoing'] as const;
const REFETCH_MS = 2_000;
const MAX_CALLS = 50;

async function fetchLive(signal: AbortSignal) {
  const pages = await Promise.all(
    LIVE.map((status) => callboard.calls.listAll({ query: { status, limit: MAX_CALLS }, signal })),
  );
  const calls = pages.flatMap(({ items }) => items);
  return {
    // A call that is answered between the two requests is in both responses.
    calls: [...new Map(calls.map((call) => [call.call_id, call])).values()].toSorted(
      (a, b) => b.call_id - a.call_id,
    ),
    isCut: pages.some(({ next_cursor }) => next_cursor !== null),
  };
}

/** Current calls, refreshed regularly. */
export function LiveCalls() {
  const { t } = useTranslation('panel');
  const view = useListView('live-calls', useCallColumns({ isLive: true }));
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['calls', 'live'],
    queryFn: ({ signal }) => fetchLive(signal),
    refetchInterval: REFETCH_MS,
  });
  const calls = data?.calls ?? [];
  const ringing = calls.filter(({ status }) => status === 'ringing').length;
  return (
    <Flex vertical gap="small">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <output>
        {data !== undefined && t('calls.liveNow', { ringing, talking: calls.length - ringing })}
        {data?.isCut === true && ` ${t('calls.liveMost', { most: MAX_CALLS })}`}
      </output>
      <FilterBar names={[]} view={view} />
      <DataTable
        {...view}
        rowKey="call_id"
        rows={calls}
        isLoading={isPending}
        isFailed={error !== null}
        emptyText={t('calls.noLive')}
      />
    </Flex>
  );
}
