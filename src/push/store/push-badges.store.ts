import type { EntityManager } from 'typeorm';
import { unreadTotalsOf } from '../../messaging/store/unread-counts.store';
import { readSnapshots, unreadIn } from '../../notifications/store/inbox-snapshot.store';

/** Returns the sums of the unread messages and notifications of users: their badges. */
export async function readBadges(em: EntityManager, ids: number[], now: Date): Promise<Map<number, number>> {
  const [messages, inboxes] = await Promise.all([unreadTotalsOf(em, ids, now), readSnapshots(em, ids)]);
  return new Map(
    ids.map((id) => [id, (messages.get(id) ?? 0) + unreadIn(inboxes.get(id)?.types ?? []).count]),
  );
}
