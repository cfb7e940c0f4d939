import type { EntityManager } from 'typeorm';
import { given, orUpdate, placeholders, tuples } from '../../database/dialect';
import type { ConversationType } from '../entities/conversation.entity';

export const COUNTERS = ['total', 'hidden', 'unread'] as const;
export type Counts = Record<(typeof COUNTERS)[number], number>;

/** What is added to the counts of a user's conversations of a type (see `ConversationCountEntity`). */
export interface CountChange extends Partial<Counts> {
  user_id: number;
  type: ConversationType;
}

const COLUMNS = ['user_id', 'type', ...COUNTERS] as const;

/** A member's row, as far as it counts. */
interface Countable {
  muted: boolean | number;
  hidden: boolean | number;
  pulled: boolean | number;
  unread_count: number;
}

/** What a member's row adds to its user's counts; whoever changes the row moves them by the difference. */
export const shareOf = ({ muted, hidden, pulled: fanOutOnRead, unread_count }: Countable): Counts => ({
  total: 1,
  hidden: hidden && !fanOutOnRead ? 1 : 0,
  unread: muted || fanOutOnRead ? 0 : unread_count,
});

/** What moves the counts of a user from one share to another. */
export const changeOf = (
  { user_id, type }: Pick<CountChange, 'user_id' | 'type'>,
  before: Counts,
  after: Counts,
): CountChange => ({
  user_id,
  type,
  total: after.total - before.total,
  hidden: after.hidden - before.hidden,
  unread: after.unread - before.unread,
});

const NOTHING: Counts = { total: 0, hidden: 0, unread: 0 };

/** The share of somebody who is no member. */
export const NO_SHARE = NOTHING;

/**
 * Moves the counts of users, with one statement, in the order of the key: writers meet in the same order. The members'
 * rows are locked before, these until the commit.
 */
export async function changeCounts(em: EntityManager, changes: readonly CountChange[]): Promise<void> {
  const sums = new Map<string, CountChange & Counts>();
  for (const change of changes) {
    const key = `${change.user_id} ${change.type}`;
    const sum = sums.get(key) ?? { ...change, ...NOTHING };
    for (const counter of COUNTERS) sum[counter] += change[counter] ?? 0;
    sums.set(key, sum);
  }
  const moved = [...sums.values()].filter((sum) => COUNTERS.some((counter) => sum[counter] !== 0));
  if (moved.length > 0) await addToCounts(em, moved);
}

/** Makes every other writer of a user's counts wait until this transaction ends. */
export async function lockCounts(em: EntityManager, userId: number, type: ConversationType): Promise<void> {
  await addToCounts(em, [{ user_id: userId, type }]);
}

/** Who has no row yet gets one. */
async function addToCounts(em: EntityManager, changes: readonly CountChange[]): Promise<void> {
  const rows = changes
    .toSorted((a, b) => a.user_id - b.user_id || a.type.localeCompare(b.type))
    .flatMap((change) => COLUMNS.map((column) => change[column] ?? 0));
  const sums = COUNTERS.map((counter) => `${counter} = ${counter} + ${given(em, counter)}`).join(', ');
  await em.query(
    `INSERT INTO conversation_counts (${COLUMNS.join(', ')}) VALUES ${tuples(changes, placeholders(COLUMNS))}
     ${orUpdate(em, ['user_id', 'type'], sums)}`,
    rows,
  );
}
