import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallboardError, FoundMessageResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { toCallboardError } from '../../shared/session';
import { useDebounced } from '../../shared/use-debounced';
import { toBounds } from './day-bounds';
import type { MessageFilter } from './message-filter';

const PER_PAGE = 20;
/** Number of requests that are sent without a click while there are few hits: each examines a bounded part of the history. */
const MAX_AUTOMATIC_PAGES = 10;

export interface MessageSearch {
  hits: readonly FoundMessageResponse[];
  /** Whether `loadMore` may find further hits. */
  hasMore: boolean;
  isSearching: boolean;
  error: CallboardError | undefined;
  loadMore: () => void;
}

interface Options {
  typed: string;
  filter: MessageFilter;
  /** Searches one chat only. */
  conversationId?: number;
}

/**
 * Searches messages for what the user typed, newest first. Continues on pages without hits, which a search of a long history
 * returns.
 */
export function useMessageSearch({ typed, filter, conversationId }: Options): MessageSearch {
  const text = typed.trim();
  const keyword = useDebounced(text);
  const { sender, type, since, until, link, attachment } = filter;
  const query = {
    keyword,
    conversation_id: conversationId,
    sender_id: sender?.id,
    type,
    ...toBounds(since, until),
    has: [...(link ? ['link' as const] : []), ...(attachment ? ['attachment' as const] : [])],
  };
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['found-messages', query],
    queryFn: ({ pageParam, signal }) =>
      callboard.messages.search({ query: { ...query, limit: PER_PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    enabled: keyword !== '',
  });
  const hits = data?.pages.flatMap(({ items }) => items) ?? [];
  const pageCount = data?.pages.length ?? 0;
  const isShort = hits.length < PER_PAGE && pageCount < MAX_AUTOMATIC_PAGES;
  useEffect(() => {
    if (hasNextPage && isShort && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isShort, isFetching, error, fetchNextPage]);
  // Enter must not open a message of the text before.
  const isSettled = keyword === text;
  return {
    hits: isSettled ? hits : [],
    hasMore: isSettled && hasNextPage,
    isSearching: text !== '' && (isFetching || !isSettled),
    error: error === null ? undefined : toCallboardError(error),
    loadMore: () => void fetchNextPage(),
  };
}
