import type { MemberResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';

/** Maximum length of a keyword, as in the service. */
export const MAX_KEYWORD = 64;
/** Maximum number of members that are offered. */
const MAX_RESULTS = 50;

/** Finds members of a group whose names contain `keyword`; without one, those who joined first. */
export async function findMembers(
  conversationId: number,
  keyword: string,
  { signal, limit = MAX_RESULTS }: { signal: AbortSignal; limit?: number },
): Promise<MemberResponse[]> {
  const { items } = await callboard.conversations.listMembers({
    path: { id: conversationId },
    query: { per_page: limit, keyword: keyword.trim() || undefined },
    signal,
  });
  return items;
}
