import type { MatchingResponse } from '@callboard/client';

/**
 * Changes all objects that match a filter, 500 per request. Each request is complete by itself: after an error the
 * objects of the earlier ones stay changed, and a new attempt changes the rest.
 *
 * @param change sends the request for the objects with a greater id
 * @param onPartial called with the number of changed objects if a later request fails
 * @returns how many objects were changed
 */
export async function changeAllMatching(
  change: (afterId: number) => Promise<MatchingResponse>,
  onPartial: (affected: number) => void,
): Promise<{ affected: number }> {
  let affected = 0;
  try {
    for (let afterId: number | null = 0; afterId !== null;) {
      const response: MatchingResponse = await change(afterId);
      affected += response.affected;
      afterId = response.next_after_id;
    }
  } catch (error) {
    if (affected > 0) onPartial(affected);
    throw error;
  }
  return { affected };
}
