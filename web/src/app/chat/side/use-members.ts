import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConversationResponse, MemberResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useDebounced } from '../../../shared/use-debounced';
import { findMembers } from '../../picker/find-members';

const PER_PAGE = 50;

export interface Members {
  /** Members to show: the loaded ones, or those that match the search. */
  shown: readonly MemberResponse[];
  /** The members loaded so far, whatever is searched. */
  loaded: readonly MemberResponse[];
  typed: string;
  search: (text: string) => void;
  isSearching: boolean;
  hasMore: boolean;
  isLoading: boolean;
  loadMore: () => void;
  error: Error | null;
  retry: () => void;
}

/** Loads the members of a group by page, and finds them by name. */
export function useMembers({ id, member_count: count, role }: ConversationResponse): Members {
  const [typed, search] = useState('');
  const keyword = useDebounced(typed.trim());
  const pages = useInfiniteQuery({
    queryKey: ['members', id, count, role],
    queryFn: ({ pageParam, signal }) =>
      callboard.conversations.listMembers({
        path: { id },
        query: { page: pageParam, per_page: PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
    placeholderData: (before) => before,
  });
  const found = useQuery({
    queryKey: ['members', id, 'found', keyword, count],
    queryFn: ({ signal }) => findMembers(id, keyword, { signal }),
    enabled: keyword !== '',
    placeholderData: (before) => before,
  });
  const loaded = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = keyword !== '';
  return {
    shown: isFiltered ? (found.data ?? []) : loaded,
    loaded,
    typed,
    search,
    isSearching: isFiltered && found.isFetching,
    hasMore: !isFiltered && pages.hasNextPage,
    isLoading: pages.isFetching,
    loadMore: () => void pages.fetchNextPage(),
    error: isFiltered ? found.error : pages.error,
    retry: () => void (isFiltered ? found.refetch() : pages.refetch()),
  };
}
