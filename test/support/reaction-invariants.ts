import type { DataSource } from 'typeorm';

/** Asserts that the stored counts and flags of reactions, notices and deletions match the rows. */
export async function expectConsistentReactions(dataSource: DataSource): Promise<void> {
  const none = async (sql: string): Promise<void> => expect(await dataSource.query(sql)).toEqual([]);
  // Counts equal rows, in both directions.
  await none(`SELECT k.conversation_id, k.seq, k.emoji_key, k.count FROM message_reaction_counts k
    LEFT JOIN message_reactions r
      ON r.conversation_id = k.conversation_id AND r.seq = k.seq AND r.emoji_key = k.emoji_key
    GROUP BY k.conversation_id, k.seq, k.emoji_key, k.count HAVING k.count <> COUNT(r.user_id) OR k.count < 1`);
  await none(`SELECT r.conversation_id, r.seq FROM message_reactions r LEFT JOIN message_reaction_counts k
      ON k.conversation_id = r.conversation_id AND k.seq = r.seq AND k.emoji_key = r.emoji_key
    WHERE k.count IS NULL`);
  // A message states whether it has reactions. A recalled message or a notice has none. No message has more than 20
  // different ones.
  await none(`SELECT m.conversation_id, m.seq FROM messages m LEFT JOIN message_reaction_counts k
      ON k.conversation_id = m.conversation_id AND k.seq = m.seq
    GROUP BY m.conversation_id, m.seq, m.has_reactions, m.recalled_at, m.notice
    HAVING (m.has_reactions = 1) <> (COUNT(k.n) > 0) OR COUNT(k.n) > 20 OR COUNT(k.n) <> COUNT(DISTINCT k.n)
      OR (COUNT(k.n) > 0 AND (m.recalled_at IS NOT NULL OR m.notice IS NOT NULL))`);
  // The notices of a conversation are numbered 1 to n, in the order of its messages.
  await none(`SELECT c.id FROM conversations c LEFT JOIN message_notices n ON n.conversation_id = c.id
    GROUP BY c.id, c.notice_count, c.last_notice_seq
    HAVING c.notice_count <> COUNT(n.seq) OR c.last_notice_seq <> COALESCE(MAX(n.seq), 0)
      OR COALESCE(MAX(n.n), 0) <> COUNT(n.seq)`);
  const notices = await dataSource.query<{ conversation_id: number; n: number }[]>(
    'SELECT conversation_id, n FROM message_notices ORDER BY conversation_id, seq',
  );
  for (const group of Map.groupBy(notices, ({ conversation_id }) => conversation_id).values())
    expect(group.map(({ n }) => n)).toEqual(group.map((_, index) => index + 1));
  await none(`SELECT m.seq FROM messages m LEFT JOIN message_notices n
    ON n.conversation_id = m.conversation_id AND n.seq = m.seq WHERE (m.notice IS NULL) <> (n.seq IS NULL)`);
  // A member's row contains the highest deletion; deletions before the member rejoined do not count.
  await none(`SELECT m.user_id, m.last_deleted_seq FROM conversation_members m LEFT JOIN message_deletions d
      ON d.conversation_id = m.conversation_id AND d.user_id = m.user_id AND d.seq >= m.join_seq
    GROUP BY m.conversation_id, m.user_id, m.last_deleted_seq
    HAVING m.last_deleted_seq <> COALESCE(MAX(d.seq), 0)`);
  await none(`SELECT m.user_id FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.cleared_seq > c.max_seq OR m.cleared_seq > m.read_seq`);
}
