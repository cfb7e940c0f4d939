import type { EntityManager } from 'typeorm';
import {
  byPrimaryKey,
  given,
  orUpdate,
  placeholders,
  tupleListOfChange,
  tuples,
} from '../../database/dialect';
import { joined } from '../../database/shared/joined';
import { nodesOf, ROOT_LEVEL } from '../rules/count-tree';
import { inChunks } from '../../common/concurrency/chunks';
import type { LockedInbox } from './locked-inbox';

/** As `unread_epoch`: read, whatever the epoch. */
export const READ = 0;

/** A notification that came, went, or changed between read and unread, as its counts see it. */
export interface CountChange {
  inbox: LockedInbox;
  type: string;
  seq: number;
  /** +1, 0 or -1 */
  total: number;
  /** +1, 0 or -1 */
  unread: number;
}

interface Node extends Pick<CountChange, 'type' | 'total' | 'unread'> {
  user_id: number;
  level: number;
  block: number;
  epoch: number;
}

const COLUMNS = ['user_id', 'level', 'block', 'type', 'total', 'unread', 'epoch'] as const;

/**
 * Moves the counts together with the notifications, in the database and in the locked inboxes. An `unread` that was
 * left from an older epoch starts again from zero here, which is why marking everything read need not visit it.
 */
export const changeCounts = joined('inboxes: count', async (em, acts: readonly CountChange[][]) => {
  const changes = acts.flat();
  // MySQL assigns from left to right: `epoch` must come after what compares it.
  const update = `total = total + ${given(em, 'total')},
    unread = CASE WHEN epoch = ${given(em, 'epoch')} THEN unread ELSE 0 END + ${given(em, 'unread')},
    epoch = ${given(em, 'epoch')}`;
  for (const nodes of inChunks(nodesChangedBy(changes))) {
    await em.query(
      `INSERT INTO notification_counts (${COLUMNS.join(', ')})
       VALUES ${tuples(nodes, placeholders(COLUMNS))}
       ${orUpdate(em, ['user_id', 'level', 'block', 'type'], update)}`,
      nodes.flatMap((node) => COLUMNS.map((column) => node[column])),
    );
  }
  for (const { inbox, type, unread } of changes) inbox.countUnread(type, unread);
});

/**
 * Nodes of one statement that deletes some: of more than 200, MariaDB guesses by its statistics how many rows they are, and may
 * rather read, and so hold, the whole table.
 */
const LOOKED_AT = 100;

/** Drops the counts that went down to zero with the notifications at some places, so that nothing grows by deletions. */
export async function dropEmptyCounts(
  em: EntityManager,
  places: readonly { user_id: number; seq: number }[],
): Promise<void> {
  const nodes = places.flatMap(({ user_id, seq }) =>
    nodesOf(seq).map(({ level, block }) => [user_id, level, block]),
  );
  for (const some of inChunks(nodes, LOOKED_AT))
    await em.query(
      `DELETE FROM notification_counts
       WHERE (user_id, level, block) IN ${tupleListOfChange(em, some, '?, ?, ?')} AND total = 0`,
      some.flat(),
    );
}

/**
 * Marks everything of one type, or of every type, read: a new epoch begins, in which nothing is unread yet.
 * Returns how many notifications that changes.
 */
export async function markTypesRead(em: EntityManager, inbox: LockedInbox, type?: string): Promise<number> {
  const affected = inbox.beginEpoch(type);
  if (affected > 0) await beginEpochs(em, { userId: inbox.user_id, type });
  return affected;
}

const beginEpochs = joined(
  'inboxes: begin epochs',
  async (em, acts: readonly { userId: number; type: string | undefined }[]) => {
    for (const [type, alike] of Map.groupBy(acts, (act) => act.type)) {
      const users = alike.map(({ userId }) => userId);
      await em.query(
        `UPDATE notification_counts ${byPrimaryKey(em)} SET epoch = epoch + 1, unread = 0
         WHERE user_id IN (${placeholders(users)}) AND level = ${ROOT_LEVEL} AND block = 0 AND unread > 0
           ${type === undefined ? '' : 'AND type = ?'}`,
        type === undefined ? users : [...users, type],
      );
    }
  },
);

/** Each node once, with the sum of its changes. Their order does not matter: whoever writes has locked the inboxes. */
function nodesChangedBy(changes: readonly CountChange[]): Node[] {
  const nodes = new Map<string, Node>();
  for (const { inbox, type, seq, total, unread } of changes) {
    const { user_id } = inbox;
    for (const place of nodesOf(seq)) {
      const key = `${user_id}:${place.level}:${place.block}:${type}`;
      const node = nodes.get(key);
      if (node === undefined) {
        nodes.set(key, { user_id, ...place, type, total, unread, epoch: inbox.epochOf(type) });
      } else {
        node.total += total;
        node.unread += unread;
      }
    }
  }
  return [...nodes.values()];
}
