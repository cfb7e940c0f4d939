import type { EntityManager } from 'typeorm';
import { nodesOf, ROOT_LEVEL } from './count-tree';
import { inChunks } from './chunks';
import type { NotificationCountEntity } from './entities/notification-count.entity';

/** The epoch of a type of which there is nothing yet. */
export const FIRST_EPOCH = 1;
/** As `unread_epoch`: read, whatever the epoch. */
export const READ = 0;

/** A notification that came, went, or changed between read and unread, as its counts see it. */
export interface CountChange {
  user_id: number;
  type: string;
  seq: number;
  /** The epoch of the type's root. */
  epoch: number;
  /** +1, 0 or -1 */
  total: number;
  /** +1, 0 or -1 */
  unread: number;
}

type Node = Omit<CountChange, 'seq'> & { level: number; block: number };

const COLUMNS = ['user_id', 'level', 'block', 'type', 'total', 'unread', 'epoch'] as const;

/**
 * Moves the counts together with the notifications; the inboxes must be locked. An `unread` that was left from an
 * older epoch starts again from zero here, which is why marking everything read need not visit it.
 */
export async function changeCounts(em: EntityManager, changes: CountChange[]): Promise<void> {
  const isSqlite = em.dataSource.options.type === 'better-sqlite3';
  const given = (column: string): string => (isSqlite ? `excluded.${column}` : `VALUES(${column})`);
  // MySQL assigns from left to right: `epoch` must come after what compares it.
  const update = `total = total + ${given('total')},
    unread = CASE WHEN epoch = ${given('epoch')} THEN unread ELSE 0 END + ${given('unread')},
    epoch = ${given('epoch')}`;
  for (const nodes of inChunks(nodesChangedBy(changes))) {
    await em.query(
      `INSERT INTO notification_counts (${COLUMNS.join(', ')})
       VALUES ${nodes.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}
       ${isSqlite ? 'ON CONFLICT (user_id, level, block, type) DO UPDATE SET' : 'ON DUPLICATE KEY UPDATE'} ${update}`,
      nodes.flatMap((node) => COLUMNS.map((column) => node[column])),
    );
  }
}

/** Drops the counts that went down to zero with the notification at `seq`, so that nothing grows by deletions. */
export async function dropEmptyCounts(em: EntityManager, userId: number, seq: number): Promise<void> {
  const nodes = nodesOf(seq);
  await em.query(
    `DELETE FROM notification_counts
     WHERE user_id = ? AND total = 0 AND (${nodes.map(() => '(level = ? AND block = ?)').join(' OR ')})`,
    [userId, ...nodes.flatMap(({ level, block }) => [level, block])],
  );
}

/**
 * Marks everything of one type, or of every type, read: a new epoch begins, in which nothing is unread yet.
 * Returns how many notifications that changes.
 */
export async function markTypesRead(em: EntityManager, userId: number, type?: string): Promise<number> {
  const roots = `user_id = ? AND level = ${ROOT_LEVEL} AND block = 0 AND unread > 0 ${type === undefined ? '' : 'AND type = ?'}`;
  const parameters = type === undefined ? [userId] : [userId, type];
  const rows: { unread: number }[] = await em.query(
    `SELECT unread FROM notification_counts WHERE ${roots}`,
    parameters,
  );
  if (rows.length > 0)
    await em.query(`UPDATE notification_counts SET epoch = epoch + 1, unread = 0 WHERE ${roots}`, parameters);
  return rows.reduce((sum, { unread }) => sum + unread, 0);
}

/** The epochs of all types of some users, by `epochKey`; a type that is missing is in its `FIRST_EPOCH`. */
export async function readEpochs(em: EntityManager, userIds: number[]): Promise<Map<string, number>> {
  const roots = (await em.query(
    `SELECT user_id, type, epoch FROM notification_counts
     WHERE level = ${ROOT_LEVEL} AND user_id IN (${userIds.map(() => '?').join(', ')})`,
    userIds,
  )) as Pick<NotificationCountEntity, 'user_id' | 'type' | 'epoch'>[];
  return new Map(roots.map(({ user_id, type, epoch }) => [epochKey(user_id, type), epoch]));
}

export const epochKey = (userId: number, type: string): string => `${userId}:${type}`;

/** Each node once, with the sum of its changes; in the order of the key, so that writers meet in the same order. */
function nodesChangedBy(changes: CountChange[]): Node[] {
  const nodes = new Map<string, Node>();
  for (const { seq, ...change } of changes) {
    for (const { level, block } of nodesOf(seq)) {
      const key = `${change.user_id}:${level}:${block}:${change.type}`;
      const node = nodes.get(key);
      if (node === undefined) nodes.set(key, { ...change, level, block });
      else {
        node.total += change.total;
        node.unread += change.unread;
      }
    }
  }
  return [...nodes.values()];
}
