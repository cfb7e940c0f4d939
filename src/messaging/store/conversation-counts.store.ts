import { pipeline } from '../../database/transaction-statements';
import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { excluded, onConflictUpdate, placeholders, tuples } from '../../database/sql/dialect';
import { transactionScoped } from '../../database/transaction-hooks';
import type { ConversationType } from '../entities/conversation.entity';

export const COUNTERS = ['total', 'hidden', 'unread'] as const;
export type ConversationCounts = Record<(typeof COUNTERS)[number], number>;

/** The amounts to add to a user's counts of one conversation type (see `ConversationCountEntity`). */
export interface ConversationCountChange extends Partial<ConversationCounts> {
  user_id: number;
  type: ConversationType;
}

const COLUMNS = ['user_id', 'type', ...COUNTERS] as const;

/** The columns of a member's row that its counts depend on. */
interface Countable {
  user_id: number;
  muted: boolean | number;
  hidden: boolean | number;
  pulled: boolean | number;
  unread_count: number;
}

/** The contribution of a user who is not a member. */
const ZERO_COUNTS: ConversationCounts = { total: 0, hidden: 0, unread: 0 };

/** Returns what a member's row contributes to its user's counts. */
const countsOfMembership = ({
  muted,
  hidden,
  pulled: fanOutOnRead,
  unread_count,
}: Countable): ConversationCounts => ({
  total: 1,
  hidden: hidden && !fanOutOnRead ? 1 : 0,
  unread: muted || fanOutOnRead ? 0 : unread_count,
});

/**
 * Returns the change of a user's counts when a member's row changes. A transaction that changes the row must add this
 * difference.
 * @param after undefined: the row is deleted
 */
export function countDelta(
  type: ConversationType,
  before: Countable,
  after?: Countable,
): ConversationCountChange {
  const [old, current] = [countsOfMembership(before), after ? countsOfMembership(after) : ZERO_COUNTS];
  return {
    user_id: before.user_id,
    type,
    total: current.total - old.total,
    hidden: current.hidden - old.hidden,
    unread: current.unread - old.unread,
  };
}

type Sum = ConversationCountChange & ConversationCounts;

/** The key of the sums in the transaction. */
const PENDING = 'conversation counts';

/**
 * Adds to users' counts at the end of the running transaction, as its last statement. Every message sent to a user
 * updates the user's counts, so a transaction that locked them earlier would block all of these sends. Lock order:
 * after the members' rows and all other rows, in key order, so that two writers cannot deadlock.
 * @throws {Error} when `em` does not belong to a transaction of `Transactions.run`
 */
export function changeConversationCounts(
  em: EntityManager,
  changes: readonly ConversationCountChange[],
): void {
  if (changes.length === 0) return;
  const sums = pendingSums(em);
  for (const change of changes) {
    const key = `${change.user_id} ${change.type}`;
    const sum = sums.get(key) ?? { ...change, ...ZERO_COUNTS };
    for (const counter of COUNTERS) sum[counter] += change[counter] ?? 0;
    sums.set(key, sum);
  }
}

const pendingSums = (em: EntityManager): Map<string, Sum> =>
  transactionScoped(em, PENDING, () => {
    const sums = new Map<string, Sum>();
    const beforeCommit = async (): Promise<void> => {
      const changed = [...sums.values()].filter((sum) => COUNTERS.some((counter) => sum[counter] !== 0));
      for (const chunk of inChunks(changed.toSorted(byKey))) pipeline(em, addToCounts(em, chunk));
    };
    return { value: sums, beforeCommit, isLast: true };
  });

/** Locks a user's counts of one type until the transaction ends; inserts a row of zeros if there is none. */
export async function lockCounts(em: EntityManager, userId: number, type: ConversationType): Promise<void> {
  await addToCounts(em, [{ user_id: userId, type }]);
}

const byKey = (a: ConversationCountChange, b: ConversationCountChange): number =>
  a.user_id - b.user_id || a.type.localeCompare(b.type);

/** Adds to the counts; inserts rows that do not exist yet. */
async function addToCounts(em: EntityManager, changes: readonly ConversationCountChange[]): Promise<void> {
  const rows = changes.flatMap((change) => COLUMNS.map((column) => change[column] ?? 0));
  const sums = COUNTERS.map((counter) => `${counter} = ${counter} + ${excluded(em, counter)}`).join(', ');
  await em.query(
    `INSERT INTO conversation_counts (${COLUMNS.join(', ')}) VALUES ${tuples(changes, placeholders(COLUMNS))}
     ${onConflictUpdate(em, ['user_id', 'type'], sums)}`,
    rows,
  );
}
