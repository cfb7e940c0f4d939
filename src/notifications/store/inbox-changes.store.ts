import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  excluded,
  onConflictUpdate,
  placeholders,
  tupleList,
  tupleListOfChange,
  tuples,
} from '../../database/sql/dialect';
import { pipeline } from '../../database/transaction-statements';
import { blockStartOf, InboxBlock, type StoredBlock } from '../rules/inbox-block.rules';
import type { TypeCounts } from '../rules/inbox-map.rules';
import type { LockedInbox, PositionChange } from './locked-inbox.store';

/** A change of one position of a locked inbox. */
export interface InboxChange extends PositionChange {
  inbox: LockedInbox;
}

/** A row of one of the user's tables. */
type Owned<Row> = Row & { user_id: number };

/** Applies changes of positions in the locked inboxes, and sends them to the database without waiting for the result. */
export async function changePositions(em: EntityManager, changes: readonly InboxChange[]): Promise<void> {
  await readBlocksOf(em, changes);
  const blocks: Owned<{ block: InboxBlock }>[] = [];
  const types: Owned<TypeCounts>[] = [];
  for (const [inbox, ofInbox] of Map.groupBy(changes, (change) => change.inbox)) {
    const { user_id } = inbox;
    const changed = inbox.change(ofInbox);
    blocks.push(...changed.blocks.map((block) => ({ user_id, block })));
    types.push(...changed.types.map((counts) => ({ user_id, ...counts })));
  }
  pipeline(em, Promise.all([storeBlocks(em, blocks), storeTypes(em, types)]));
}

/** Reads the blocks of positions that the locked inboxes do not have yet. */
export async function readBlocksOf(
  em: EntityManager,
  positions: readonly { inbox: LockedInbox; seq: number }[],
): Promise<void> {
  const missing = new Map<string, { inbox: LockedInbox; start: number }>();
  for (const { inbox, seq } of positions) {
    const start = blockStartOf(seq);
    if (!inbox.hasBlockOf(seq)) missing.set(`${inbox.user_id}:${start}`, { inbox, start });
  }
  for (const chunk of inChunks([...missing.values()])) {
    const rows = await em.query<Owned<StoredBlock>[]>(
      `SELECT user_id, start, version, width, types, unread, archived FROM notification_blocks
       WHERE (user_id, start) IN ${tupleList(em, chunk, '?, ?')}`,
      chunk.flatMap(({ inbox, start }) => [inbox.user_id, start]),
    );
    const found = new Map(rows.map((row) => [`${row.user_id}:${row.start}`, InboxBlock.parse(row)]));
    for (const { inbox, start } of chunk)
      inbox.addBlock(found.get(`${inbox.user_id}:${start}`) ?? InboxBlock.empty(start));
  }
}

const BLOCK_COLUMNS = ['user_id', 'start', 'version', 'width', 'types', 'unread', 'archived'] as const;

/** Stores blocks of locked inboxes. Deletes empty ones, so that they do not accumulate. */
export async function storeBlocks(
  em: EntityManager,
  blocks: readonly Owned<{ block: InboxBlock }>[],
): Promise<void> {
  const { stored = [], empty = [] } = Object.groupBy(blocks, ({ block }) =>
    block.isEmpty ? 'empty' : 'stored',
  );
  for (const chunk of inChunks(stored)) {
    const rows = chunk.map(({ user_id, block }) => ({ user_id, ...block.toStored() }));
    await em.query(
      `INSERT INTO notification_blocks (${BLOCK_COLUMNS.join(', ')}) VALUES ${tuples(rows, placeholders(BLOCK_COLUMNS))}
       ${onConflictUpdate(em, ['user_id', 'start'], assignments(em, BLOCK_COLUMNS.slice(2)))}`,
      rows.flatMap(({ types, unread, archived, ...row }) => {
        const values = {
          ...row,
          types: Buffer.from(types),
          unread: Buffer.from(unread),
          archived: archived ? Buffer.from(archived) : null,
        };
        return BLOCK_COLUMNS.map((column) => values[column]);
      }),
    );
  }
  const keys = empty.map(({ user_id, block }) => [user_id, block.start]);
  await deleteInChunks(em, 'notification_blocks', 'user_id, start', keys);
}

const TYPE_COLUMNS = [
  'user_id',
  'type',
  'code',
  'total',
  'unread',
  'archived',
  'archived_unread',
  'epoch',
] as const;

/** Stores the counts of types of locked inboxes. Deletes those without notifications, so that they do not accumulate. */
export async function storeTypes(em: EntityManager, types: readonly Owned<TypeCounts>[]): Promise<void> {
  const { stored = [], empty = [] } = Object.groupBy(types, ({ total }) =>
    total === 0 ? 'empty' : 'stored',
  );
  for (const chunk of inChunks(stored)) {
    await em.query(
      `INSERT INTO notification_types (${TYPE_COLUMNS.join(', ')}) VALUES ${tuples(chunk, placeholders(TYPE_COLUMNS))}
       ${onConflictUpdate(em, ['user_id', 'type'], assignments(em, TYPE_COLUMNS.slice(2)))}`,
      chunk.flatMap((row) => TYPE_COLUMNS.map((column) => row[column])),
    );
  }
  const keys = empty.map(({ user_id, type }) => [user_id, type]);
  await deleteInChunks(em, 'notification_types', 'user_id, type', keys);
}

const assignments = (em: EntityManager, columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${excluded(em, column)}`).join(', ');

/**
 * Maximum number of rows per DELETE. For more than 200, MariaDB estimates the number of rows from its statistics, and
 * may scan, and so lock, the whole table.
 */
const DELETE_CHUNK_SIZE = 100;

async function deleteInChunks(
  em: EntityManager,
  table: string,
  columns: string,
  keys: readonly unknown[][],
): Promise<void> {
  for (const chunk of inChunks(keys, DELETE_CHUNK_SIZE))
    await em.query(
      `DELETE FROM ${table} WHERE (${columns}) IN ${tupleListOfChange(em, chunk, '?, ?')}`,
      chunk.flat(),
    );
}
