import { useInfiniteQuery } from '@tanstack/react-query';
import { Button, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { DataTable, type DataTableProps } from './data-table';
import type { ListView } from './use-list-view';

/** A page of a list with cursor pagination, whose total is unknown. */
export interface CursorPage<Row> {
  items: Row[];
  next_cursor: string | null;
}

interface Options<Row> {
  /** Query key: list and filters. The first part is matched by `changes` of actions. */
  queryKey: readonly unknown[];
  fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<CursorPage<Row>>;
  /** Polling interval in milliseconds, depending on the rows. */
  refetchEvery?: (rows: Row[]) => number;
}

export interface CursorList<Row> {
  rows: Row[];
  error: unknown;
  isPending: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  refetch: () => void;
}

/** A list with cursor pagination. */
export function useCursorList<Row>({ queryKey, fetch, refetchEvery }: Options<Row>): CursorList<Row> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetch(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      refetchEvery?.(state.data?.pages.flatMap(({ items }) => items) ?? []) ?? false,
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    error: query.error,
    isPending: query.isPending,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}

interface Props<Row extends object> extends Pick<DataTableProps<Row>, 'rowKey' | 'emptyText'> {
  list: CursorList<Row>;
  /** The columns, or the view that selects them. */
  view: Pick<ListView<Row>, 'columns' | 'density'> | Pick<ListView<Row>, 'columns'>;
  /** Whether filters are active: the text for no matches differs from that for an empty list. */
  isFiltered?: boolean;
}

/** Shows a list with cursor pagination. Errors are shown by the caller. */
export function CursorTable<Row extends object>({
  list,
  rowKey,
  view,
  isFiltered = false,
  emptyText,
}: Props<Row>) {
  const { t } = useTranslation('panel');
  return (
    <Flex vertical gap="middle">
      <DataTable
        {...view}
        rowKey={rowKey}
        rows={list.rows}
        isLoading={list.isPending}
        isFailed={list.error !== null}
        emptyText={isFiltered ? t('parts.noneFound') : emptyText}
      />
      {list.hasMore && (
        <Flex justify="center">
          <Button loading={list.isLoadingMore} onClick={list.loadMore}>
            {t('parts.more')}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}
