import type { EntityManager } from 'typeorm';
import { given, orUpdate, placeholders, tuples } from '../../database/dialect';
import type { ConversationType } from '../entities/conversation.entity';

export const COUNTERS = ['total', 'hidden', 'unread'] as const;
export type Counts = Record<(typeof COUNTERS)[number], number>;

/** What is added to the counts of a user (see `ConversationCountEntity`). */
export interface CountChange extends Partial<Counts> {
  user_id: number;
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
export const changeOf = (userId: number, before: Counts, after: Counts): CountChange => ({
  user_id: userId,
  total: after.total - before.total,
  hidden: after.hidden - before.hidden,
  unread: after.unread - before.unread,
});

export const NO_SHARE: Counts = { total: 0, hidden: 0, unread: 0 };

/**
 * Moves the counts of users, with one statement, in the order of the key: writers meet in the same order. The members'
 * rows are locked before, these until the commit.
 * @param changes one for each user
 */
export async function changeCounts(
  em: EntityManager,
  type: ConversationType,
  changes: readonly CountChange[],
): Promise<void> {
  const moved = changes.filter((change) => COUNTERS.some((counter) => (change[counter] ?? 0) !== 0));
  if (moved.length > 0) await addToCounts(em, type, moved);
}

/** Makes every other writer of a user's counts wait until this transaction ends. */
export async function lockCounts(em: EntityManager, userId: number, type: ConversationType): Promise<void> {
  await addToCounts(em, type, [{ user_id: userId }]);
}

/** Who has no row yet gets one. */
async function addToCounts(
  em: EntityManager,
  type: ConversationType,
  changes: readonly CountChange[],
): Promise<void> {
  const rows = changes
    .toSorted((a, b) => a.user_id - b.user_id)
    .flatMap((change) => COLUMNS.map((column) => (column === 'type' ? type : (change[column] ?? 0))));
  const sums = COUNTERS.map((counter) => `${counter} = ${counter} + ${given(em, counter)}`).join(', ');
  await em.query(
    `INSERT INTO conversation_counts (${COLUMNS.join(', ')}) VALUES ${tuples(changes, placeholders(COLUMNS))}
     ${orUpdate(em, ['user_id', 'type'], sums)}`,
    rows,
  );
}
