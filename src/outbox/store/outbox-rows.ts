import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  byPrimaryKey,
  deleteByPrimaryKey,
  lockingEnd,
  placeholders,
  type RawCount,
  type RawMoment,
  toCount,
  toDate,
  toMoment,
} from '../../database/dialect';
import { affectedBy, insertAllotted } from '../../database/rows';
import { OutboxEntity } from '../entities/outbox.entity';
import type { OutboxAct } from '../outbox-consumer';

/** What one statement writes: payloads are some kilobytes at most, and a packet of the database holds 16 MB. */
const ROWS_AT_ONCE = 100;

/** An act on its way into the outbox. */
export type NewRow = Pick<OutboxEntity, 'event_id' | 'type' | 'subject' | 'payload' | 'created_at'>;

/** Some acts, and the lease under which they were claimed. */
export interface Lease {
  ids: readonly number[];
  claim: string;
}

/** An act, and the row that it has. */
export interface ClaimedAct {
  id: number;
  act: OutboxAct;
}

/** Writes acts, claimed until they are due, or due at once as nobody's; answers their ids, in their order. */
export async function insertActs(
  em: EntityManager,
  acts: readonly NewRow[],
  claimed: Pick<OutboxEntity, 'claim' | 'due_at'>,
): Promise<number[]> {
  const ids: number[] = [];
  for (const chunk of inChunks(acts, ROWS_AT_ONCE))
    ids.push(
      ...(await insertAllotted(
        em,
        OutboxEntity,
        chunk.map((act) => ({ ...act, ...claimed })),
      )),
    );
  return ids;
}

/** The acts that are due, those that are so for longest first. Another instance may see the same. */
export async function dueActs(em: EntityManager, now: Date, most: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    'SELECT id FROM outbox WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
    [toMoment(em, now), most],
  );
  return rows.map(({ id }) => id);
}

/**
 * Claims those of some acts, at least one, that are still due: nobody else does until the lease ends.
 * @returns how many
 */
export function claimActs(
  em: EntityManager,
  { ids, claim }: Lease,
  { now, until }: { now: Date; until: Date },
): Promise<number> {
  return affectedBy(
    em,
    `UPDATE outbox ${byPrimaryKey(em)} SET claim = ?, due_at = ?
     WHERE id IN (${placeholders(ids)}) AND due_at <= ?`,
    [claim, toMoment(em, until), ...ids, toMoment(em, now)],
  );
}

type Row = Omit<NewRow, 'created_at'> & { created_at: RawMoment };

/** Those of some acts that this lease still has, in the order in which they were written. They are held. */
export async function holdActs(em: EntityManager, { ids, claim }: Lease): Promise<OutboxAct[]> {
  const rows = await em.query<Row[]>(
    `SELECT event_id, type, subject, payload, created_at FROM outbox
     WHERE id IN (${placeholders(ids)}) AND claim = ? ORDER BY id${lockingEnd(em)}`,
    [...ids, claim],
  );
  return rows.map((row) => toAct({ ...row, created_at: toDate(row.created_at) }));
}

/** An act as it is routed. */
export const toAct = ({ event_id, type, subject, payload, created_at }: NewRow): OutboxAct => ({
  eventId: event_id,
  type,
  subject,
  payload,
  at: created_at,
});

/** Takes acts out that this lease has; answers how many. */
export const deleteActs = (em: EntityManager, { ids, claim }: Lease): Promise<number> =>
  affectedBy(em, `${deleteByPrimaryKey(em, 'outbox')} WHERE id IN (${placeholders(ids)}) AND claim = ?`, [
    ...ids,
    claim,
  ]);

/** How many acts wait, and since when the one does that was written first; undefined where none waits. */
export async function backlog(em: EntityManager): Promise<{ rows: number; since: Date | undefined }> {
  const [row] = await em.query<{ waiting: RawCount; since: RawMoment | null }[]>(
    `SELECT (SELECT COUNT(*) FROM outbox) AS waiting,
       (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS since`,
  );
  return { rows: toCount(row?.waiting), since: row?.since ? toDate(row.since) : undefined };
}

/** When the act that has been due for longest became so; undefined where there is none. Of one that is claimed, when the lease ends. */
export async function longestDue(em: EntityManager): Promise<Date | undefined> {
  const [row] = await em.query<{ due_at: RawMoment | null }[]>('SELECT MIN(due_at) AS due_at FROM outbox');
  return row?.due_at ? toDate(row.due_at) : undefined;
}
