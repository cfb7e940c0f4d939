import type { EntityManager } from 'typeorm';
import type { Drift } from '../../common/drift';
import { findRows } from '../../database/sql/statements';
import { NotificationBlockEntity } from '../entities/notification-block.entity';
import { byBlock, InboxBlock, type PositionState } from '../rules/inbox-block.rules';
import { newTypeCounts, type TypeCounts } from '../rules/inbox-map.rules';
import { storeBlocks, storeTypes } from './inbox-changes.store';
import { countState, type LockedInbox } from './locked-inbox.store';

/** Notifications read per statement. */
const BATCH_SIZE = 10_000;

const COUNTERS = ['total', 'unread', 'archived', 'archived_unread'] as const;

/** The blocks and the counts of an inbox, computed from its notifications. */
interface Recount {
  /** Only those that differ from the stored blocks; empty ones are to be deleted. */
  blocks: InboxBlock[];
  /** All types; a `total` of 0: to be deleted. */
  types: Map<string, TypeCounts>;
  drift: Drift[];
}

/**
 * Compares the map of a locked inbox with its notifications, corrects it, and returns the drift. The states are
 * stored in the map only: a notification that the map lacks counts as read and not archived.
 */
export async function recountInbox(em: EntityManager, inbox: LockedInbox): Promise<Drift[]> {
  const { user_id } = inbox;
  const { blocks, types, drift } = await recount(em, inbox);
  const differing = [...types.values()].filter((counts) => differs(inbox.types.get(counts.type), counts));
  for (const counts of differing) {
    const { type } = counts;
    const stored = inbox.types.get(type);
    for (const counter of COUNTERS)
      drift.push({
        userId: user_id,
        counter: `${counter} of ${JSON.stringify(type)}`,
        stored: stored?.[counter] ?? 0,
        actual: counts[counter],
      });
  }
  await storeBlocks(
    em,
    blocks.map((block) => ({ user_id, block })),
  );
  await storeTypes(
    em,
    differing.map((counts) => ({ user_id, ...counts })),
  );
  return drift.filter(({ stored, actual }) => stored !== actual);
}

async function recount(em: EntityManager, inbox: LockedInbox): Promise<Recount> {
  const stored = await findRows(em, NotificationBlockEntity, { user_id: inbox.user_id });
  const unseen = new Map(stored.map((row) => [row.start, InboxBlock.parse(row)]));
  const types = new Map(
    Array.from(inbox.types.values(), (counts) => [
      counts.type,
      { ...counts, total: 0, unread: 0, archived: 0, archived_unread: 0 },
    ]),
  );
  const result: Recount = { blocks: [], types, drift: [] };
  for await (const [start, notifications] of notificationsByBlock(em, inbox.user_id)) {
    compareBlock(inbox, unseen.get(start) ?? InboxBlock.empty(start), notifications, result);
    unseen.delete(start);
  }
  for (const block of unseen.values()) compareBlock(inbox, block, [], result);
  return result;
}

interface Positioned {
  seq: number;
  type: string;
}

/** Yields the notifications of an inbox by the start of their block, oldest first. */
async function* notificationsByBlock(
  em: EntityManager,
  userId: number,
): AsyncGenerator<[start: number, notifications: Positioned[]]> {
  let pending: Positioned[] = [];
  for (;;) {
    const rows = await em.query<Positioned[]>(
      'SELECT seq, type FROM notifications WHERE user_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      [userId, pending.at(-1)?.seq ?? -1, BATCH_SIZE],
    );
    const blocks = [...byBlock([...pending, ...rows])];
    if (rows.length < BATCH_SIZE) {
      yield* blocks;
      return;
    }
    // The last block may continue in the next batch.
    pending = blocks.pop()?.[1] ?? [];
    yield* blocks;
  }
}

function compareBlock(
  { user_id, version }: LockedInbox,
  stored: InboxBlock,
  notifications: readonly Positioned[],
  { blocks, types, drift }: Recount,
): void {
  const states = notifications.map(({ seq, type }): PositionState => {
    const counts = types.get(type) ?? newTypeCounts(type, types.values());
    types.set(type, counts);
    const isUnread = stored.isUnreadAt(seq, counts.epoch);
    const isArchived = stored.isArchivedAt(seq);
    countState(counts, { isUnread, isArchived }, 1);
    return { seq, code: counts.code, isUnread, isArchived };
  });
  const isRight = ({ seq, code }: PositionState): boolean => stored.codeAt(seq) === code;
  const total = [...stored.counts.values()].reduce((sum, counts) => sum + counts.total, 0);
  const right = states.filter(isRight).length;
  const wrong = Math.max(total, states.length) - right;
  if (wrong === 0) return;
  drift.push({ userId: user_id, counter: `wrong positions from ${stored.start}`, stored: wrong, actual: 0 });
  blocks.push(InboxBlock.empty(stored.start).change(states, version, new Map()));
}

const differs = (stored: TypeCounts | undefined, counts: TypeCounts): boolean =>
  COUNTERS.some((counter) => stored?.[counter] !== counts[counter]);
