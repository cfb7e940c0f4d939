/** A message that counts. */
interface SentMessage {
  sender_id: number;
  created_at: Date;
}

/** Messages by day and by sender. */
interface Activity {
  /** Oldest day first. */
  days: { day: string; messages: number }[];
  /** The most messages first; equal ones by user id. */
  senders: { user_id: number; messages: number }[];
}

/** Counts messages by day and by sender. @param dayOf returns the day of a moment, as `2026-01-31` */
export function countSent(sent: readonly SentMessage[], dayOf: (moment: Date) => string): Activity {
  const byDay = new Map<string, number>();
  const bySender = new Map<number, number>();
  for (const { sender_id, created_at } of sent) {
    const day = dayOf(created_at);
    byDay.set(day, (byDay.get(day) ?? 0) + 1);
    bySender.set(sender_id, (bySender.get(sender_id) ?? 0) + 1);
  }
  return {
    days: [...byDay]
      .map(([day, messages]) => ({ day, messages }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    senders: [...bySender]
      .map(([user_id, messages]) => ({ user_id, messages }))
      .toSorted((a, b) => b.messages - a.messages || a.user_id - b.user_id),
  };
}
