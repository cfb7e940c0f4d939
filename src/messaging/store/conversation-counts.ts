import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { given, orUpdate, placeholders, tuples } from '../../database/dialect';
import { gather } from '../../database/endings';
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

type Sum = CountChange & Counts;

/** Where a transaction keeps what it adds to counts. */
const PENDING = 'conversation counts';

/**
 * Adds to the counts of users when the running transaction ends, as its last statement: a user's counts are written by
 * everything that is sent to the user, so all of that waits for a transaction that locks them. They are locked after
 * the members' rows and everything else, in the order of the key, so that writers meet in the same order.
 * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
 */
export function changeCounts(em: EntityManager, changes: readonly CountChange[]): void {
  if (changes.length === 0) return;
  const sums = sumsOf(em);
  for (const change of changes) {
    const key = `${change.user_id} ${change.type}`;
    const sum = sums.get(key) ?? { ...change, ...NOTHING };
    for (const counter of COUNTERS) sum[counter] += change[counter] ?? 0;
    sums.set(key, sum);
  }
}

const sumsOf = (em: EntityManager): Map<string, Sum> =>
  gather(em, PENDING, () => {
    const sums = new Map<string, Sum>();
    const write = async (): Promise<void> => {
      const moved = [...sums.values()].filter((sum) => COUNTERS.some((counter) => sum[counter] !== 0));
      for (const chunk of inChunks(moved.toSorted(byKey))) await addToCounts(em, chunk);
    };
    return { gathered: sums, write, isLast: true };
  });

/** Makes every other writer of a user's counts wait until this transaction ends. */
export async function lockCounts(em: EntityManager, userId: number, type: ConversationType): Promise<void> {
  await addToCounts(em, [{ user_id: userId, type }]);
}

const byKey = (a: CountChange, b: CountChange): number =>
  a.user_id - b.user_id || a.type.localeCompare(b.type);

/** Who has no row yet gets one. */
async function addToCounts(em: EntityManager, changes: readonly CountChange[]): Promise<void> {
  const rows = changes.flatMap((change) => COLUMNS.map((column) => change[column] ?? 0));
  const sums = COUNTERS.map((counter) => `${counter} = ${counter} + ${given(em, counter)}`).join(', ');
  await em.query(
    `INSERT INTO conversation_counts (${COLUMNS.join(', ')}) VALUES ${tuples(changes, placeholders(COLUMNS))}
     ${orUpdate(em, ['user_id', 'type'], sums)}`,
    rows,
  );
}
