import type { BenchApp } from '../bench-app';
import { Loader } from '../../seed/loader';

/** Users 1 to this number have an Android phone each. */
export const TARGETS = 100_000;

/** Single chats 1 to this number: users `2n - 1` and `2n` talk in chat `n`. */
export const CHATS = 2_000;

const NOW = "'2026-01-01 00:00:00.000'";

/**
 * Fills an empty database with users, an Android phone of each, and single chats.
 * @param iphones number of users 2, 6, 10, … that have an iPhone too
 */
export async function loadTargets({ dataSource, engine }: BenchApp, iphones = 0): Promise<void> {
  // The loader's temporary table of numbers exists on one connection only.
  const runner = dataSource.createQueryRunner();
  try {
    const loader = new Loader((sql) => runner.query(sql), engine, TARGETS);
    await loader.prepare();
    await loader.insert(
      'users',
      'id, name, role, status, created_at',
      ['n + 1', loader.text("'User '", 'n + 1'), "'user'", '1', NOW],
      TARGETS,
    );
    await loadPhones(loader, { kind: 'fcm', user: 'n + 1', count: TARGETS });
    await loadPhones(loader, { kind: 'apns_voip', user: '4 * n + 2', count: iphones });
    await loadChats(loader);
    await loader.analyze(['users', 'push_targets', 'conversations', 'conversation_members']);
  } finally {
    await runner.release();
  }
}

/** @param user SQL expression of the owner of target `n` */
async function loadPhones(
  loader: Loader,
  { kind, user, count }: { kind: 'fcm' | 'apns_voip'; user: string; count: number },
): Promise<void> {
  const app = kind === 'fcm' ? 'NULL' : "'com.example.app'";
  await loader.insert(
    'push_targets',
    `user_id, kind, terminal_id, token, token_hash, app, sandbox, state, rejections, received, registered_at,
      seen_at, created_at`,
    [
      user,
      `'${kind}'`,
      `'${kind}'`,
      loader.text(`'${kind}-'`, user),
      loader.text(`'${kind}-'`, user),
      app,
      '0',
      "'active'",
      '0',
      '0',
      // Seen now, so that retention keeps them.
      ...Array.from({ length: 3 }, () => `'${new Date().toISOString().replace('T', ' ').replace('Z', '')}'`),
    ],
    count,
  );
}

async function loadChats(loader: Loader): Promise<void> {
  const [odd, even] = ['2 * n + 1', '2 * n + 2'];
  await loader.insert(
    'conversations',
    `id, type, single_key, name, member_count, max_seq, last_recalled_seq, first_read_seq, first_gap_seq, pulled,
      created_at`,
    ['n + 1', "'single'", loader.text(odd, "':'", even), "''", '2', '0', '0', '0', '0', '0', NOW],
    CHATS,
  );
  for (const [user, peer] of [
    [odd, even],
    [even, odd],
  ] as const)
    await loader.insert(
      'conversation_members',
      `conversation_id, user_id, type, peer_id, role, join_seq, joined_at, read_seq, pinned, muted, hidden, hidden_seq,
        pulled, sort_at, hears_after`,
      ['n + 1', user, "'single'", peer, "'member'", '1', NOW, '0', '0', '0', '0', '-1', '0', NOW, '0'],
      CHATS,
    );
}
