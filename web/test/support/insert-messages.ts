import Database from 'better-sqlite3';

/** Number of messages; far more than a page keeps in the document. */
export const MESSAGE_COUNT = 20_000;
const EVERY_SECONDS = 30;
/** Long enough for some messages to have several lines. */
const WORDS =
  "'message ' || n || CASE WHEN n % 7 = 0 THEN replace(hex(zeroblob(40)), '00', ' and so on') ELSE '' END";

/**
 * Inserts 20,000 read messages of both users into an empty single chat, spread over a week. The rows equal those that
 * the service writes.
 */
export function insertMessages(databaseUrl: string, conversationId: number, users: [number, number]): void {
  const database = new Database(databaseUrl.replace('sqlite:', ''), { timeout: 10_000 });
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MESSAGE_COUNT})`;
  const at = `strftime('%Y-%m-%d %H:%M:%f', '2026-01-01', '+' || (n * ${EVERY_SECONDS}) || ' seconds')`;
  const sender = `CASE WHEN n / 3 % 2 = 0 THEN ${users[0]} ELSE ${users[1]} END`;
  try {
    // Takes the write lock at once: a transaction that has read fails immediately if the service writes meanwhile.
    database
      .transaction(() => {
        const { first } = database
          .prepare<[], { first: number }>('SELECT coalesce(max(id), 0) AS first FROM message_ids')
          .get() ?? { first: 0 };
        database.exec(`INSERT INTO message_ids (id, conversation_id, seq)
        ${numbers} SELECT ${first} + n, ${conversationId}, n FROM numbers`);
        database.exec(`INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at)
        ${numbers} SELECT ${conversationId}, n, ${first} + n, ${sender}, 'text', ${WORDS}, ${at} FROM numbers`);
        database.exec(`UPDATE conversations SET max_seq = ${MESSAGE_COUNT} WHERE id = ${conversationId}`);
        database.exec(
          `UPDATE conversation_members SET read_seq = ${MESSAGE_COUNT} WHERE conversation_id = ${conversationId}`,
        );
        for (const user of users)
          database.exec(`INSERT INTO read_intervals (conversation_id, user_id, to_seq, from_seq, read_at)
          VALUES (${conversationId}, ${user}, ${MESSAGE_COUNT}, 1, '2026-02-01 00:00:00.000')`);
      })
      .immediate();
  } finally {
    database.close();
  }
}
