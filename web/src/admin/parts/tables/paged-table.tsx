import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Flex, Table, type TableProps } from 'antd';
import { cloneElement, isValidElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../error-alert';
import { NoRows } from './no-rows';
import { TABLE_COMPONENTS } from './scrolled-table';

/** A page as the service returns it, with or without the total. */
export interface Page<Row> {
  items: Row[];
  pagination: { total?: number; has_more: boolean; current_page: number; per_page: number };
}

export interface PageQuery {
  page: number;
  per_page: number;
}

interface Props<Row> extends Pick<
  TableProps<Row>,
  'columns' | 'rowSelection' | 'onRow' | 'onChange' | 'expandable'
> {
  /** Query key: list and filters. The first part is matched by `changes` of actions. */
  queryKey: readonly unknown[];
  /** Fetches a page. */
  fetch: (page: PageQuery, signal: AbortSignal) => Promise<Page<Row>>;
  rowKey: keyof Row & string;
  /** Whether filters are active: the text for no matches differs from that for an empty list. */
  isFiltered?: boolean;
  /** Polling interval in milliseconds. */
  refetchEvery?: number;
  footer?: ReactNode;
}

const PER_PAGE = 20;
const REFETCH_MS = 30_000;

/** A list with numbered pages. Page and size are stored in the URL (`page`, `per_page`). */
export function PagedTable<Row extends object>({
  queryKey,
  fetch,
  rowKey,
  isFiltered = false,
  refetchEvery = REFETCH_MS,
  footer,
  ...table
}: Props<Row>) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const query = { page: url.number('page') ?? 1, per_page: url.number('per_page') ?? PER_PAGE };
  const { data, error, isFetching, isPlaceholderData, isPending, refetch } = useQuery({
    queryKey: [...queryKey, query],
    queryFn: ({ signal }) => fetch(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refetchEvery,
    refetchOnWindowFocus: 'always',
  });
  const { total, has_more = false } = data?.pagination ?? {};
  const known = total ?? (query.page - 1) * query.per_page + (data?.items.length ?? 0) + Number(has_more);
  return (
    <Flex vertical gap="small">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <Table<Row>
        {...table}
        size="middle"
        showSorterTooltip={false}
        rowKey={rowKey}
        dataSource={data?.items ?? []}
        loading={isPending || (isFetching && isPlaceholderData)}
        components={TABLE_COMPONENTS}
        scroll={{ x: 'max-content' }}
        locale={{
          emptyText: (
            <NoRows isFailed={error !== null} text={t(isFiltered ? 'parts.noneFound' : 'parts.none')} />
          ),
        }}
        pagination={{
          current: query.page,
          pageSize: query.per_page,
          total: known,
          showSizeChanger: true,
          // Otherwise the accessible names are those of the icons: left and right.
          itemRender: (_, type, item) =>
            (type === 'prev' || type === 'next') && isValidElement<{ 'aria-label'?: string }>(item)
              ? cloneElement(item, { 'aria-label': t(`parts.${type}Page`) })
              : item,
          pageSizeOptions: [20, 50, 100],
          showTotal: total === undefined ? undefined : () => t('parts.total', { total }),
          onChange: (page, size) =>
            url.set({
              page: size === query.per_page && page > 1 ? page : null,
              per_page: size === PER_PAGE ? null : size,
            }),
        }}
      />
      {footer}
    </Flex>
  );
}
