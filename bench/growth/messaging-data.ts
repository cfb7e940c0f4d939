import type { DataSource } from 'typeorm';
import { Loader } from '../seed/loader';

export const HISTORY = 1_000_000;
export const LISTED = 20_000;
const CROWD = 5_000;
/**
 * Two groups with the same number of messages. The messages of one have no replies, mentions or reactions; those of the
 * other reply to much older messages, mention both members, and have reactions of both.
 */
export const PLAIN = 5;
export const TALK = 6;
const TALKED = 1_000;

/** Users of the benchmark; the others have ids from 10,001 on. */
export const READER = 1;
const PEER = 2;
export const BUSY = 3;
export const QUIET = 4;
/** User whose conversations are all hidden. */
export const HIDER = 7;

const NOW = "'2026-01-01 00:00:00.000'";

const CONVERSATION =
  'id, type, single_key, name, avatar, member_count, max_seq, last_recalled_seq, first_read_seq, first_gap_seq, pulled, created_at';
const MEMBER =
  'conversation_id, user_id, type, peer_id, role, join_seq, joined_at, read_seq, pinned, muted, hidden, hidden_seq, pulled, sort_at, hears_after';
const MESSAGE = 'conversation_id, seq, id, sender_id, type, content, extra, created_at';

/** Helpers that fill the tables. */
class Conversations {
  constructor(private readonly loader: Loader) {}

  run = (sql: string): Promise<unknown> => this.loader.run(sql);

  text = (...parts: string[]): string => this.loader.text(...parts);

  /** Inserts `count` rows of the expressions `values`, in which `n` counts from 0. */
  insert = (table: string, columns: string, values: string, count: number): Promise<unknown> =>
    this.loader.insert(table, columns, [values], count);

  users = (firstId: number, count: number): Promise<unknown> =>
    this.insert(
      'users',
      'id, name, role, status, created_at',
      `n + ${firstId}, ${this.text("'User '", `n + ${firstId}`)}, 'user', 1, ${NOW}`,
      count,
    );

  group = (id: number, size: { members: number; pulled: number; messages: number }): Promise<unknown> =>
    this.run(`INSERT INTO conversations (${CONVERSATION}) VALUES
      (${id}, 'group', NULL, 'Group ${id}', NULL, ${size.members}, ${size.messages}, 0, 0, 0, ${size.pulled}, ${NOW})`);

  /** Inserts a single chat of two users who have read all of it. */
  async single(id: number, users: [number, number], messages: number): Promise<void> {
    await this.run(`INSERT INTO conversations (${CONVERSATION}) VALUES
      (${id}, 'single', '${users.join(':')}', '', NULL, 2, ${messages}, 0, 0, 0, 0, ${NOW})`);
    for (const [user, peer] of [users, users.toReversed()])
      await this.run(`INSERT INTO conversation_members (${MEMBER}) VALUES
        (${id}, ${user}, 'single', ${peer}, 'member', 1, ${NOW}, ${messages}, 0, 0, 0, -1, 0, ${NOW}, 0)`);
  }

  /** Inserts messages of the reader and the peer in turn. */
  messages = (conversation: number, firstId: number, count: number): Promise<unknown> =>
    this.insert(
      'messages',
      MESSAGE,
      `${conversation}, n + 1, n + ${firstId}, CASE WHEN n % 2 = 0 THEN ${READER} ELSE ${PEER} END, 'text',
       ${this.text("'Message number '", 'n + 1')}, NULL, ${NOW}`,
      count,
    );
}

/**
 * Fills an empty database: conversation 1 is long, 2 is large, 3 and 4 are small. The messages of one of 5 and 6 are
 * plain; in the other, every message has a reply, mentions and reactions. One user has few conversations and another
 * one many.
 */
export async function loadConversations(dataSource: DataSource, engine: string): Promise<void> {
  // The loader's temporary table of numbers exists on one connection only.
  const runner = dataSource.createQueryRunner();
  try {
    const loader = new Loader((sql) => runner.query(sql), engine, HISTORY);
    await loader.prepare();
    await fill(new Conversations(loader));
    await loader.analyze([
      'conversations',
      'conversation_members',
      'messages',
      'read_intervals',
      'message_reactions',
      'message_reaction_counts',
    ]);
  } finally {
    await runner.release();
  }
}

async function fill(loader: Conversations): Promise<void> {
  await loader.users(1, 10);
  await loader.users(10_001, LISTED);
  await loadHistory(loader);
  await loadGroups(loader);
  await loader.single(3, [5, 6], 0);
  await loadTalk(loader, PLAIN, 'NULL, NULL');
  await loadTalk(loader, TALK, `CASE WHEN n < 500 THEN NULL ELSE n - 499 END, '[${READER},${PEER}]'`);
  await loadReactions(loader);
  await loadList(loader, BUSY, LISTED, 100_000);
  await loadList(loader, QUIET, 20, 200_000);
  await loadList(loader, HIDER, LISTED, 300_000, true);
  // New messages get ids above those inserted here.
  await loader.run('INSERT INTO message_ids (id, conversation_id, seq) VALUES (100000000, 1, 1)');
}

/** A million messages, read in steps of a hundred. */
async function loadHistory(loader: Conversations): Promise<void> {
  await loader.single(1, [READER, PEER], HISTORY);
  await loader.messages(1, 1, HISTORY);
  for (const reader of [READER, PEER])
    await loader.insert(
      'read_intervals',
      'conversation_id, user_id, to_seq, from_seq, read_at',
      `1, ${reader}, (n + 1) * 100, n * 100 + 1, ${NOW}`,
      HISTORY / 100,
    );
}

/** Reactions of both members to each message, with two emojis in turn. */
async function loadReactions(loader: Conversations): Promise<void> {
  await loader.run(`UPDATE messages SET has_reactions = 1 WHERE conversation_id = ${TALK}`);
  for (const [index, emoji] of ['👍', '❤'].entries()) {
    const counted = `${TALK}, n + 1, '${emoji}', '${emoji}', 2, ${index + 1}`;
    const columns = 'conversation_id, seq, emoji_key, emoji, count, n';
    await loader.insert('message_reaction_counts', columns, counted, TALKED);
    for (const user of [READER, PEER])
      await loader.insert(
        'message_reactions',
        'conversation_id, seq, emoji_key, user_id, created_at',
        `${TALK}, n + 1, '${emoji}', ${user}, ${NOW}`,
        TALKED,
      );
  }
}

/** A group of 5,000 whose read positions are spread over its last thousand messages, and a group of 20. */
async function loadGroups(loader: Conversations): Promise<void> {
  await loader.group(2, { members: CROWD, pulled: 1, messages: 10_000 });
  await loader.messages(2, 2_000_001, 10_000);
  await loader.insert(
    'conversation_members',
    MEMBER,
    `2, CASE WHEN n < 2 THEN n + 1 ELSE n + 10001 END, 'group', NULL, 'member', 1, ${NOW},
     CASE WHEN n < 2 THEN 10000 ELSE 9000 + (n * 7919) % 1000 END, 0, 0, 0, -1, 1, ${NOW}, 0`,
    CROWD,
  );
  await loader.group(4, { members: 20, pulled: 0, messages: 0 });
  const member = `4, n + 10001, 'group', NULL, 'member', 1, ${NOW}, 0, 0, 0, 0, -1, 0, ${NOW}, 0`;
  await loader.insert('conversation_members', MEMBER, member, 20);
}

/**
 * Inserts a group of the reader and the peer, who have read all of it. `more`: the columns for replies and mentions.
 */
async function loadTalk(loader: Conversations, id: number, more: string): Promise<void> {
  await loader.group(id, { members: 2, pulled: 0, messages: TALKED });
  const member = `${id}, n + 1, 'group', NULL, 'member', 1, ${NOW}, ${TALKED}, 0, 0, 0, -1, 0, ${NOW}, 0`;
  await loader.insert('conversation_members', MEMBER, member, 2);
  await loader.insert(
    'messages',
    `${MESSAGE}, reply_seq, mentions`,
    `${id}, n + 1, n + ${3_000_000 + id * 10_000}, CASE WHEN n % 2 = 0 THEN ${READER} ELSE ${PEER} END, 'text',
     ${loader.text("'Message number '", 'n + 1')}, NULL, ${NOW}, ${more}`,
    TALKED,
  );
}

/**
 * Inserts `count` single chats of one user with three messages each, two of them unread. Either all are hidden or none.
 */
async function loadList(
  loader: Conversations,
  owner: number,
  count: number,
  firstId: number,
  hidden = false,
): Promise<void> {
  const id = `n + ${firstId}`;
  const key = loader.text(`'${owner}:'`, 'n + 10001');
  const conversation = `${id}, 'single', ${key}, '', NULL, 2, 3, 0, 0, 0, 0, ${NOW}`;
  await loader.insert('conversations', CONVERSATION, conversation, count);
  const peer = 'n + 10001';
  for (const [user, other, read] of [
    [String(owner), peer, 1],
    [peer, String(owner), 3],
  ] as const) {
    const isHidden = hidden && user === String(owner) ? 1 : 0;
    const member = `${id}, ${user}, 'single', ${other}, 'member', 1, ${NOW}, ${read}, 0, 0, ${isHidden}, -1, 0, ${NOW}, 0`;
    await loader.insert('conversation_members', MEMBER, member, count);
  }
  for (const seq of [1, 2, 3]) {
    const message = `${id}, ${seq}, n + ${firstId * 100 + seq * 100_000}, n + 10001, 'text', 'hello', NULL, ${NOW}`;
    await loader.insert('messages', MESSAGE, message, count);
  }
  await loader.run(
    `INSERT INTO conversation_counts (user_id, type, total, hidden, unread)
     VALUES (${owner}, 'single', ${count}, ${hidden ? count : 0}, ${2 * count})`,
  );
}
