import type { DataSource } from 'typeorm';
import { Loader } from '../seed/loader';
import { HISTORY, READER } from './messaging-data';

/** Two single chats of the reader. */
export const LONG = 1;
export const SHORT = 2;
export const SHORT_HISTORY = 200_000;
/** Occurs in the oldest message of each chat only, so that a search looks at all of it. */
export const RARE_WORD = 'qx';

const PEER = 2;
const NOW = "'2026-01-01 00:00:00.000'";
/** Words of the messages; together they have neither letter of the rare word. */
const WORDS = ['lunch', 'tomorrow', 'at noon', 'the parcel', 'is here', '您的访客', '已到达', 'thanks'];

/** Fills an empty database with a chat of 1,000,000 messages and one of 200,000. */
export async function loadSearched(dataSource: DataSource, engine: string): Promise<void> {
  // The loader's temporary table of numbers exists on one connection only.
  const runner = dataSource.createQueryRunner();
  try {
    const loader = new Loader((sql) => runner.query(sql), engine, HISTORY);
    await loader.prepare();
    await loader.insert(
      'users',
      'id, name, role, status, created_at',
      [`n + 1, ${loader.text("'User '", 'n + 1')}, 'user', 1, ${NOW}`],
      PEER + 1,
    );
    await loadChat(loader, { id: LONG, peer: PEER, messages: HISTORY, firstId: 1 });
    await loadChat(loader, { id: SHORT, peer: PEER + 1, messages: SHORT_HISTORY, firstId: HISTORY + 1 });
    // New messages get ids above those inserted here.
    await loader.run(`INSERT INTO message_ids (id, conversation_id, seq) VALUES (100000000, ${LONG}, 1)`);
    await loader.analyze(['conversations', 'conversation_members', 'messages']);
  } finally {
    await runner.release();
  }
}

/** Inserts a single chat that both users have read. */
async function loadChat(
  loader: Loader,
  { id, peer, messages, firstId }: { id: number; peer: number; messages: number; firstId: number },
): Promise<void> {
  await loader.run(`INSERT INTO conversations
    (id, type, single_key, name, member_count, max_seq, last_recalled_seq, first_read_seq, first_gap_seq, pulled, created_at)
    VALUES (${id}, 'single', '${READER}:${peer}', '', 2, ${messages}, 0, 0, 0, 0, ${NOW})`);
  for (const [user, other] of [
    [READER, peer],
    [peer, READER],
  ])
    await loader.run(`INSERT INTO conversation_members
      (conversation_id, user_id, type, peer_id, role, join_seq, joined_at, read_seq, pinned, muted, hidden, hidden_seq,
        pulled, sort_at, hears_after)
      VALUES (${id}, ${user}, 'single', ${other}, 'member', 1, ${NOW}, ${messages}, 0, 0, 0, -1, 0, ${NOW}, 0)`);
  // First, because the service indexes messages while the others are inserted.
  await loader.run(`INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at)
    VALUES (${id}, 1, ${firstId}, ${READER}, 'text', 'the ${RARE_WORD} code', ${NOW})`);
  const [first, second] = [loader.cycle(WORDS), loader.cycle(WORDS, loader.quotient('n', WORDS.length))];
  const text = loader.text(first, "' '", second, "' '", 'n');
  await loader.insert(
    'messages',
    'conversation_id, seq, id, sender_id, type, content, created_at',
    [`${id}, n + 2, n + ${firstId + 1}, ${READER}, 'text', ${text}, ${NOW}`],
    messages - 1,
  );
}
