import type { EntityManager } from 'typeorm';
import type { Drift } from '../../common/drift';
import { inChunks } from '../../common/concurrency/chunks';
import { type RawCount, toCount } from '../../database/sql/dialect';
import { deleteRows, findRows, insertRows } from '../../database/sql/statements';
import { BLOCK_SIZE, nodesOf, ROOT_LEVEL } from '../rules/count-tree.rules';
import { NotificationCountEntity } from '../entities/notification-count.entity';
import { FIRST_EPOCH } from './locked-inbox.store';

interface Group {
  type: string;
  /** The first position of the block. */
  start: number;
  unread_epoch: number;
  total: RawCount;
}

type Node = NotificationCountEntity;

/** Returns the stored count tree of a locked inbox. */
export const storedTree = (em: EntityManager, user_id: number): Promise<Node[]> =>
  findRows(em, NotificationCountEntity, { user_id });

/** Replaces the stored count tree of a locked inbox. */
export async function replaceTree(em: EntityManager, user_id: number, nodes: readonly Node[]): Promise<void> {
  await deleteRows(em, NotificationCountEntity, { user_id });
  for (const chunk of inChunks(nodes)) await insertRows(em, NotificationCountEntity, chunk);
}

/** Computes the count tree of an inbox from its notifications. The stored tree only provides the epoch of each type. */
export async function recountNotifications(
  em: EntityManager,
  userId: number,
  stored: Node[],
): Promise<Node[]> {
  const groups = (await em.query(
    `SELECT type, seq - seq % ${BLOCK_SIZE} AS start, unread_epoch, COUNT(*) AS total FROM notifications
     WHERE user_id = ? GROUP BY type, seq - seq % ${BLOCK_SIZE}, unread_epoch`,
    [userId],
  )) as Group[];
  const epochs = epochsOf(stored, groups);
  const nodes = new Map<string, Node>();
  for (const { type, start, unread_epoch, total } of groups) {
    const epoch = epochs.get(type) ?? FIRST_EPOCH;
    for (const place of nodesOf(start)) {
      const empty = { user_id: userId, ...place, type, total: 0, unread: 0, epoch };
      const node = nodes.get(nameOf(empty)) ?? empty;
      node.total += toCount(total);
      node.unread += unread_epoch === epoch ? toCount(total) : 0;
      nodes.set(nameOf(node), node);
    }
  }
  return [...nodes.values()];
}

/** Returns the counts in which two trees of a user differ. A node that one of them lacks counts as zero. */
export function compare(userId: number, stored: Node[], actual: Node[]): Drift[] {
  const epochs = epochsOf(stored, []);
  const before = new Map(stored.map((node) => [nameOf(node), node]));
  const after = new Map(actual.map((node) => [nameOf(node), node]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const unread = was !== undefined && was.epoch === epochs.get(was.type) ? was.unread : 0;
    return [
      { userId, counter: `total of ${name}`, stored: was?.total ?? 0, actual: is?.total ?? 0 },
      { userId, counter: `unread of ${name}`, stored: unread, actual: is?.unread ?? 0 },
    ].filter((drift) => drift.stored !== drift.actual);
  });
}

const nameOf = ({ type, level, block }: Pick<Node, 'type' | 'level' | 'block'>): string =>
  `${JSON.stringify(type)}, level ${level}, block ${block}`;

/**
 * Returns the epoch of each type; if its root is missing, the newest epoch in which one of its notifications was
 * unread.
 */
function epochsOf(stored: Node[], groups: Group[]): Map<string, number> {
  const epochs = new Map<string, number>();
  for (const { type, unread_epoch } of groups) {
    epochs.set(type, Math.max(epochs.get(type) ?? FIRST_EPOCH, unread_epoch));
  }
  for (const { type, level, epoch } of stored) if (level === ROOT_LEVEL) epochs.set(type, epoch);
  return epochs;
}
