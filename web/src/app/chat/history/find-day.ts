import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';

const PER_PAGE = 20;

/**
 * Returns the id of the first message of a day, or of the first one after it; the newest one if there is none; undefined if the
 * chat is empty. Requests log₂(n / 20) pages: the pages of a history are in order of time.
 *
 * @param day `2026-01-31`, in the time zone of `toDate`
 * @throws {CallboardError} the service's error
 * @throws {unknown} the signal's reason, if it aborted
 */
export async function findDay(
  conversationId: number,
  day: string,
  toDate: (moment: string) => string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const fetchPage = async (page: number) =>
    callboard.messages.list({
      path: { id: conversationId },
      query: { page, per_page: PER_PAGE, mark_read: 0 },
      signal,
    });
  const isBefore = ({ sent_at }: MessageResponse): boolean => toDate(sent_at) < day;
  const newest = await fetchPage(1);
  let found = newest.items;
  // The page that is wanted is the last one, from the newest, whose newest message is not before the day.
  let [low, high] = [1, Math.max(1, Math.ceil(newest.pagination.total / PER_PAGE))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { items } = await fetchPage(middle);
    const [first] = items;
    if (first === undefined || isBefore(first)) high = middle - 1;
    else {
      low = middle;
      found = items;
    }
  }
  return (found.findLast((message) => !isBefore(message)) ?? found[0])?.id;
}
