import type { MemberResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';

const PER_PAGE = 100;
/** Maximum number of members that are offered. */
const MAX_RESULTS = 50;

/**
 * Finds members of a group whose names contain `keyword`; all of them if it is empty. Reads the pages of the member list until
 * enough are found.
 */
export async function findMembers(
  conversationId: number,
  keyword: string,
  signal: AbortSignal,
): Promise<MemberResponse[]> {
  const wanted = keyword.toLocaleLowerCase();
  const found: MemberResponse[] = [];
  for (let page = 1; ; page += 1) {
    const { items, pagination } = await callboard.conversations.listMembers({
      path: { id: conversationId },
      query: { page, per_page: PER_PAGE },
      signal,
    });
    found.push(...items.filter(({ name }) => name?.toLocaleLowerCase().includes(wanted) === true));
    if (found.length >= MAX_RESULTS || !pagination.has_more) return found.slice(0, MAX_RESULTS);
  }
}
