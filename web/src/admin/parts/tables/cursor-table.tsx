import { useInfiniteQuery } from '@tanstack/react-query';
import { Button, Flex, Table, type TableProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { NoRows } from './no-rows';
import { TABLE_COMPONENTS } from './scrolled-table';

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

interface Props<Row> extends Pick<TableProps<Row>, 'columns'> {
  list: CursorList<Row>;
  rowKey: keyof Row & string;
  /** Whether filters are active: the text for no matches differs from that for an empty list. */
  isFiltered?: boolean;
}

/** Shows a list with cursor pagination. Errors are shown by the caller. */
export function CursorTable<Row extends object>({ list, rowKey, isFiltered = false, columns }: Props<Row>) {
  const { t } = useTranslation('panel');
  return (
    <Flex vertical gap="middle">
      <Table
        size="middle"
        rowKey={rowKey}
        columns={columns}
        dataSource={list.rows}
        loading={list.isPending}
        components={TABLE_COMPONENTS}
        scroll={{ x: 'max-content' }}
        pagination={false}
        locale={{
          emptyText: (
            <NoRows isFailed={list.error !== null} text={t(isFiltered ? 'parts.noneFound' : 'parts.none')} />
          ),
        }}
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
