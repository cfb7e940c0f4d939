import { callboard } from '../../../shared/callboard';
import { queryClient } from '../../../shared/query-client';
import type { Mention } from '../drafts';

const PER_PAGE = 100;
/** Maximum number of members that are offered. */
const MAX_RESULTS = 8;
const STALE_MS = 60_000;

/** Finds members whose names contain `keyword`. Reads the pages of the member list until enough are found. */
export async function findMembers(
  conversationId: number,
  keyword: string,
  signal: AbortSignal,
): Promise<Mention[]> {
  const wanted = keyword.toLocaleLowerCase();
  const found: Mention[] = [];
  for (let page = 1; ; page += 1) {
    signal.throwIfAborted();
    const { items, pagination } = await queryClient.fetchQuery({
      queryKey: ['member-page', conversationId, page],
      queryFn: () =>
        callboard.conversations.listMembers({
          path: { id: conversationId },
          query: { page, per_page: PER_PAGE },
        }),
      staleTime: STALE_MS,
    });
    for (const { user_id: id, name } of items)
      if (name?.toLocaleLowerCase().includes(wanted) === true) found.push({ id, name });
    if (found.length >= MAX_RESULTS || !pagination.has_more) return found.slice(0, MAX_RESULTS);
  }
}
