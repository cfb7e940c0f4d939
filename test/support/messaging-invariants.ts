import type { DataSource } from 'typeorm';
import { expectConsistentReactions } from './reaction-invariants';

interface Interval {
  user_id: number;
  from_seq: number;
  to_seq: number;
  read_at: Date | string;
}

/** Asserts that counters and redundant columns match the rows. */
export async function expectConsistentMessaging(dataSource: DataSource): Promise<void> {
  const none = async (sql: string): Promise<void> => expect(await dataSource.query(sql)).toEqual([]);
  // Sequence numbers are dense: n messages are numbered 1 to n.
  await none(`SELECT c.id, c.max_seq, COUNT(m.seq) AS n, MIN(m.seq) AS low, MAX(m.seq) AS high
    FROM conversations c LEFT JOIN messages m ON m.conversation_id = c.id GROUP BY c.id, c.max_seq
    HAVING c.max_seq <> COUNT(m.seq) OR MIN(m.seq) <> 1 OR MAX(m.seq) <> c.max_seq`);
  await none(`SELECT m.id FROM messages m LEFT JOIN message_ids i
    ON i.id = m.id AND i.conversation_id = m.conversation_id AND i.seq = m.seq WHERE i.id IS NULL`);
  await none(`SELECT i.id FROM message_ids i LEFT JOIN messages m ON m.conversation_id = i.conversation_id AND m.seq = i.seq
    WHERE m.id IS NULL`);
  await none(`SELECT m.conversation_id, m.seq FROM messages m LEFT JOIN message_recalls r
    ON r.conversation_id = m.conversation_id AND r.seq = m.seq
    WHERE (m.recalled_at IS NULL) <> (r.seq IS NULL)`);
  await none(`SELECT c.id FROM conversations c LEFT JOIN conversation_members m ON m.conversation_id = c.id
    GROUP BY c.id, c.member_count HAVING c.member_count <> COUNT(m.user_id)`);
  await none(`SELECT n.user_id, n.type, n.total, n.hidden, n.unread FROM conversation_counts n
    LEFT JOIN conversation_members m ON m.user_id = n.user_id AND m.type = n.type
    LEFT JOIN conversations c ON c.id = m.conversation_id
    GROUP BY n.user_id, n.type, n.total, n.hidden, n.unread
    HAVING n.total <> COUNT(m.conversation_id)
      OR n.hidden <> SUM(CASE WHEN m.pulled = 0 AND m.hidden = 1 THEN 1 ELSE 0 END)
      OR n.unread <> SUM(CASE WHEN m.pulled = 0 AND m.muted = 0
           THEN c.max_seq - m.read_seq - m.recalled_ahead - (SELECT COUNT(*) FROM message_notices x
             WHERE x.conversation_id = m.conversation_id AND x.seq > m.read_seq) ELSE 0 END)`);
  await none(`SELECT m.conversation_id, m.user_id FROM conversation_members m LEFT JOIN conversation_counts n
    ON n.user_id = m.user_id AND n.type = m.type WHERE n.total IS NULL`);
  await none(`SELECT m.user_id FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.read_seq > c.max_seq OR m.read_seq < m.join_seq - 1 OR m.type <> c.type OR m.pulled <> c.pulled`);
  await none(`SELECT m.user_id, m.recalled_ahead FROM conversation_members m LEFT JOIN message_recalls r
    ON r.conversation_id = m.conversation_id AND r.seq > m.read_seq
    GROUP BY m.conversation_id, m.user_id, m.recalled_ahead HAVING m.recalled_ahead <> COUNT(r.seq)`);
  await none(`SELECT m.user_id, m.notices_read FROM conversation_members m LEFT JOIN message_notices x
    ON x.conversation_id = m.conversation_id AND x.seq <= m.read_seq
    GROUP BY m.conversation_id, m.user_id, m.notices_read HAVING m.notices_read <> COUNT(x.seq)`);
  // `mute_ends` contains exactly the ends in the members' rows.
  await none(`SELECT m.conversation_id, m.user_id FROM conversation_members m LEFT JOIN mute_ends e
    ON e.conversation_id = m.conversation_id AND e.user_id = m.user_id
    WHERE COALESCE(m.mute_until, '') <> COALESCE(e.ends_at, '') OR (m.mute_until IS NOT NULL AND m.muted = 0)`);
  await none(`SELECT e.user_id FROM mute_ends e LEFT JOIN conversation_members m
    ON m.conversation_id = e.conversation_id AND m.user_id = e.user_id WHERE m.user_id IS NULL`);
  // The members of a single chat have each other as peer; members of a group have no peer.
  await none(`SELECT m.conversation_id, m.user_id, m.peer_id FROM conversation_members m
    LEFT JOIN conversation_members o ON m.type = 'single'
      AND o.conversation_id = m.conversation_id AND o.user_id <> m.user_id
    WHERE COALESCE(m.peer_id, 0) <> COALESCE(o.user_id, 0)`);
  // A member's read position is never below the member's own newest message.
  await none(`SELECT s.seq FROM messages s JOIN conversation_members m
    ON m.conversation_id = s.conversation_id AND m.user_id = s.sender_id
    WHERE s.seq > m.read_seq AND s.notice IS NULL`);
  await none(`SELECT a.to_seq FROM read_intervals a JOIN read_intervals b
    ON b.conversation_id = a.conversation_id AND b.user_id = a.user_id AND b.to_seq > a.to_seq
    WHERE b.from_seq <= a.to_seq OR a.from_seq > a.to_seq`);
  await none(`SELECT m.seq FROM messages m JOIN read_intervals i ON i.conversation_id = m.conversation_id
    AND i.user_id = m.sender_id AND m.seq BETWEEN i.from_seq AND i.to_seq WHERE m.notice IS NULL`);
  await expectConsistentMentions(dataSource);
  await expectConsistentFirstReads(dataSource);
  await expectConsistentReactions(dataSource);
}

/** Every mention has a row per mentioned member, and the members' rows contain the newest one. */
async function expectConsistentMentions(dataSource: DataSource): Promise<void> {
  const none = async (sql: string): Promise<void> => expect(await dataSource.query(sql)).toEqual([]);
  await none(`SELECT id FROM messages WHERE recalled_at IS NOT NULL
    AND (reply_seq IS NOT NULL OR mentions IS NOT NULL OR edited_at IS NOT NULL OR content <> '')`);
  await none(`SELECT c.id, c.last_mention_all_seq FROM conversations c WHERE c.last_mention_all_seq <> COALESCE(
    (SELECT MAX(n.seq) FROM message_mentions n WHERE n.conversation_id = c.id AND n.user_id = 0), 0)`);
  // Mentions before a member joined do not count.
  await none(`SELECT m.conversation_id, m.user_id, m.last_mention_seq FROM conversation_members m
    WHERE (CASE WHEN m.last_mention_seq < m.join_seq THEN 0 ELSE m.last_mention_seq END) <> COALESCE(
      (SELECT MAX(n.seq) FROM message_mentions n WHERE n.conversation_id = m.conversation_id
       AND n.user_id = m.user_id AND n.seq >= m.join_seq), 0)`);
  const messages = await dataSource.query<{ conversation_id: number; seq: number; mentions: string }[]>(
    'SELECT conversation_id, seq, mentions FROM messages WHERE mentions IS NOT NULL',
  );
  const rows = await dataSource.query<{ conversation_id: number; seq: number; user_id: number }[]>(
    'SELECT conversation_id, seq, user_id FROM message_mentions',
  );
  expect(
    rows.map(({ conversation_id, seq, user_id }) => `${conversation_id} ${seq} ${user_id}`).toSorted(),
  ).toEqual(
    messages
      .flatMap(({ conversation_id, seq, mentions }) =>
        (JSON.parse(mentions) as number[]).map((id) => `${conversation_id} ${seq} ${id}`),
      )
      .toSorted(),
  );
}

/** The log of first reads equals the first reads computed from all read intervals. */
async function expectConsistentFirstReads(dataSource: DataSource): Promise<void> {
  const groups = await dataSource.query<{ id: number; max_seq: number }[]>(
    "SELECT id, max_seq FROM conversations WHERE type = 'group'",
  );
  for (const { id, max_seq } of groups) {
    const rows = (table: string): Promise<Interval[]> =>
      dataSource.query(`SELECT * FROM ${table} WHERE conversation_id = ?`, [id]);
    const [intervals, firsts] = [await rows('read_intervals'), await rows('first_reads')];
    for (let seq = 1; seq <= max_seq; seq += 1) {
      const at = (log: Interval[]): number[] =>
        log
          .filter(({ from_seq, to_seq }) => from_seq <= seq && seq <= to_seq)
          .map(({ read_at }) => new Date(read_at).getTime())
          .toSorted((a, b) => a - b);
      expect({ id, seq, at: at(firsts) }).toEqual({ id, seq, at: at(intervals).slice(0, 1) });
    }
  }
}
