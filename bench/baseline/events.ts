import { change, type Connection, type Value } from './database';

export interface NewEvent {
  userId: number;
  type: string;
  payload: object;
}

/**
 * Writes the events of a few users at the end of a transaction: two statements, however many, for the database itself
 * works out the numbers.
 */
export async function writeEvents(on: Connection, events: NewEvent[], now: Date): Promise<void> {
  const counts = new Map<number, number>();
  for (const { userId } of events) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  const users = [...counts].toSorted(([a], [b]) => a - b);
  await change(
    on,
    `INSERT INTO event_cursors (user_id, last_seq) VALUES ${users.map(() => '(?, ?)').join(', ')}
     ON DUPLICATE KEY UPDATE last_seq = last_seq + VALUES(last_seq)`,
    users.flat(),
  );
  const values: Value[] = [now];
  const rows = events.map(({ userId, type, payload }, index) => {
    const later = events.slice(index + 1).filter((event) => event.userId === userId).length;
    values.push(userId, later, type, JSON.stringify(payload));
    return index === 0 ? 'SELECT ? AS user_id, ? AS later, ? AS type, ? AS payload' : 'SELECT ?, ?, ?, ?';
  });
  await change(
    on,
    `INSERT INTO events (user_id, seq, type, payload, created_at)
     SELECT c.user_id, c.last_seq - e.later, e.type, e.payload, ?
     FROM (${rows.join(' UNION ALL ')}) e JOIN event_cursors c ON c.user_id = e.user_id`,
    values,
  );
}
