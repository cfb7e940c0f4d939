import type { EntityManager } from 'typeorm';
import {
  forcePrimaryKey,
  excluded,
  onConflictUpdate,
  placeholders,
  tupleListOfChange,
  tuples,
} from '../../database/sql/dialect';
import { nodesOf, ROOT_LEVEL } from '../rules/count-tree.rules';
import { inChunks } from '../../common/concurrency/chunks';
import type { LockedInbox } from './locked-inbox.store';

/** The `unread_epoch` of a notification that was read individually. Epochs start at 1, so it equals none of them. */
export const READ_EPOCH = 0;

/** A change of the counts by a notification that was added, removed, marked read or marked unread. */
export interface NotificationCountChange {
  inbox: LockedInbox;
  type: string;
  seq: number;
  /** +1, 0 or -1 */
  total: number;
  /** +1, 0 or -1 */
  unread: number;
}

interface Node extends Pick<NotificationCountChange, 'type' | 'total' | 'unread'> {
  user_id: number;
  level: number;
  block: number;
  epoch: number;
}

const COLUMNS = ['user_id', 'level', 'block', 'type', 'total', 'unread', 'epoch'] as const;

/**
 * Applies changes to the counts, in the locked inboxes immediately, and in the database. An `unread` of an older epoch is reset to
 * zero here first, so marking everything read only updates the roots.
 */
export async function changeNotificationCounts(
  em: EntityManager,
  changes: readonly NotificationCountChange[],
): Promise<void> {
  // MySQL assigns from left to right: `epoch` must come after what compares it.
  const update = `total = total + ${excluded(em, 'total')},
    unread = CASE WHEN epoch = ${excluded(em, 'epoch')} THEN unread ELSE 0 END + ${excluded(em, 'unread')},
    epoch = ${excluded(em, 'epoch')}`;
  const allNodes = sumByNode(changes);
  for (const { inbox, type, unread } of changes) inbox.countUnread(type, unread);
  for (const nodes of inChunks(allNodes)) {
    await em.query(
      `INSERT INTO notification_counts (${COLUMNS.join(', ')})
       VALUES ${tuples(nodes, placeholders(COLUMNS))}
       ${onConflictUpdate(em, ['user_id', 'level', 'block', 'type'], update)}`,
      nodes.flatMap((node) => COLUMNS.map((column) => node[column])),
    );
  }
}

/**
 * Maximum number of nodes per DELETE. For more than 200, MariaDB estimates the number of rows from its statistics, and
 * may scan, and so lock, the whole table.
 */
const DELETE_CHUNK_SIZE = 100;

/**
 * Deletes zero counts of the given positions after their notifications were removed, so that empty nodes do not
 * accumulate.
 */
export async function dropEmptyCounts(
  em: EntityManager,
  positions: readonly { user_id: number; seq: number }[],
): Promise<void> {
  const nodes = positions.flatMap(({ user_id, seq }) =>
    nodesOf(seq).map(({ level, block }) => [user_id, level, block]),
  );
  for (const chunk of inChunks(nodes, DELETE_CHUNK_SIZE))
    await em.query(
      `DELETE FROM notification_counts
       WHERE (user_id, level, block) IN ${tupleListOfChange(em, chunk, '?, ?, ?')} AND total = 0`,
      chunk.flat(),
    );
}

/**
 * Marks all notifications of one type, or of every type, of locked inboxes read by starting a new epoch, in which none
 * is unread.
 */
export async function beginEpochs(
  em: EntityManager,
  requests: readonly { userId: number; type: string | undefined }[],
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(requests, (request) => request.type)) {
    const users = ofType.map(({ userId }) => userId);
    await em.query(
      `UPDATE notification_counts ${forcePrimaryKey(em)} SET epoch = epoch + 1, unread = 0
         WHERE user_id IN (${placeholders(users)}) AND level = ${ROOT_LEVEL} AND block = 0 AND unread > 0
           ${type === undefined ? '' : 'AND type = ?'}`,
      type === undefined ? users : [...users, type],
    );
  }
}

/** Returns each node once, with the sum of its changes. Their order does not matter, because the inboxes are locked. */
function sumByNode(changes: readonly NotificationCountChange[]): Node[] {
  const nodes = new Map<string, Node>();
  for (const { inbox, type, seq, total, unread } of changes) {
    const { user_id } = inbox;
    for (const position of nodesOf(seq)) {
      const key = `${user_id}:${position.level}:${position.block}:${type}`;
      const node = nodes.get(key);
      if (node === undefined) {
        nodes.set(key, { user_id, ...position, type, total, unread, epoch: inbox.epochOf(type) });
      } else {
        node.total += total;
        node.unread += unread;
      }
    }
  }
  return [...nodes.values()];
}
