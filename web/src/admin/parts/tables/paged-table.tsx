import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Flex, Pagination } from 'antd';
import { cloneElement, isValidElement, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../error-alert';
import { DataTable, type DataTableProps } from './data-table';
import type { ListView } from './use-list-view';

/** A page as the service returns it, with or without the total. */
export interface Page<Row> {
  items: Row[];
  pagination: { total?: number; has_more: boolean; current_page: number; per_page: number };
}

export interface PageQuery {
  page: number;
  per_page: number;
}

interface Props<Row extends object> extends Pick<
  DataTableProps<Row>,
  'rowKey' | 'selection' | 'onRow' | 'emptyText'
> {
  /** Query key: list and filters. The first part is matched by `changes` of actions. */
  queryKey: readonly unknown[];
  /** Fetches a page. */
  fetch: (page: PageQuery, signal: AbortSignal) => Promise<Page<Row>>;
  /** The columns, or the view that selects them. */
  view: Pick<ListView<Row>, 'columns' | 'density'> | Pick<ListView<Row>, 'columns'>;
  /** Whether filters are active: the text for no matches differs from that for an empty list. */
  isFiltered?: boolean;
}

const PER_PAGE = 20;
const PAGE_SIZES = [20, 50, 100];
const REFETCH_MS = 30_000;

/** A list with numbered pages. Page and size are stored in the URL (`page`, `per_page`). */
export function PagedTable<Row extends object>({
  queryKey,
  fetch,
  view,
  isFiltered = false,
  emptyText,
  ...table
}: Props<Row>) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const query = { page: url.number('page') ?? 1, per_page: url.number('per_page') ?? PER_PAGE };
  const { data, error, isFetching, isPlaceholderData, isPending, refetch } = useQuery({
    queryKey: [...queryKey, query],
    queryFn: ({ signal }) => fetch(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
    refetchOnWindowFocus: 'always',
  });
  const { total, has_more = false } = data?.pagination ?? {};
  const known = total ?? (query.page - 1) * query.per_page + (data?.items.length ?? 0) + Number(has_more);
  // Rows that were deleted can leave the last page empty. The pager shows no way back from a page behind the last one.
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / query.per_page));
  const isBehindLast =
    !isPlaceholderData && data?.items.length === 0 && lastPage !== undefined && lastPage < query.page;
  const { set } = url;
  useEffect(() => {
    if (isBehindLast) set({ page: lastPage === 1 ? null : lastPage });
  }, [isBehindLast, lastPage, set]);
  return (
    <Flex vertical gap="small">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <DataTable<Row>
        {...table}
        {...view}
        rows={data?.items ?? []}
        isLoading={isPending || (isFetching && isPlaceholderData)}
        isFailed={error !== null}
        emptyText={isFiltered ? t('parts.noneFound') : emptyText}
      />
      {known > 0 && (
        <Pagination
          align="end"
          responsive
          current={query.page}
          pageSize={query.per_page}
          total={known}
          showSizeChanger
          // Otherwise the accessible names are those of the icons: left and right.
          itemRender={(_, type, item) =>
            (type === 'prev' || type === 'next') && isValidElement<{ 'aria-label'?: string }>(item)
              ? cloneElement(item, { 'aria-label': t(`parts.${type}Page`) })
              : item
          }
          pageSizeOptions={PAGE_SIZES}
          showTotal={total === undefined ? undefined : () => t('parts.total', { total })}
          onChange={(page, size) =>
            url.set({
              page: size === query.per_page && page > 1 ? page : null,
              per_page: size === PER_PAGE ? null : size,
            })
          }
        />
      )}
    </Flex>
  );
}
