import type { EntityManager } from 'typeorm';
import type { AfterAttempt } from '../rules/attempt.rules';
import { TEST_TYPE } from '../rules/event-types.rules';
import { forcePrimaryKey, lockingEnd, placeholders, toSqlTimestamp } from '../../database/sql/dialect';
import { affectedBy, insertAllotted, insertRows, updateEach } from '../../database/sql/statements';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';

/* Statements on deliveries from creation to completion. Each one finds its rows by an index made for it. */

/** A new delivery of an event whose body is stored. */
export type NewDelivery = Pick<
  WebhookDeliveryEntity,
  'endpoint_id' | 'event_id' | 'event_type' | 'body_id' | 'status' | 'due_at' | 'claim' | 'created_at'
>;

/** The body of an event, and the trace of the request that caused it. */
export type NewBody = Pick<WebhookEventEntity, 'body' | 'traceparent'>;

/** Stores at least one body of an event and returns their ids, in the same order. */
export const insertBodies = (em: EntityManager, bodies: readonly NewBody[], now: Date): Promise<number[]> =>
  insertAllotted(
    em,
    WebhookEventEntity,
    bodies.map(({ body, traceparent }) => ({ body, traceparent, created_at: now })),
  );

/** Inserts deliveries that have not been attempted. Returns the id of the row if there is only one. */
export const insertDeliveries = (em: EntityManager, rows: NewDelivery[]): Promise<number> =>
  insertRows(
    em,
    WebhookDeliveryEntity,
    rows.map((row) => ({ ...row, attempts: 0 })),
  );

/** A delivery that only this instance may attempt until the claim ends. */
export interface ClaimedDelivery {
  id: number;
  claim: string;
  eventId: string;
  body: string;
  /** Trace of the request that caused the event. */
  traceparent: string | null;
  /** Number of earlier attempts. */
  attempts: number;
}

/** Claims at most `limit` deliveries of an endpoint with the token `claim`, until `until`. */
export interface DeliveryClaim {
  endpointId: number;
  limit: number;
  claim: string;
  now: Date;
  until: Date;
}

/**
 * Claims due deliveries, oldest due time first. The conditional UPDATE assigns each delivery to one instance when two
 * find it concurrently.
 */
export async function claimDue(
  em: EntityManager,
  { endpointId, limit, claim, now, until }: DeliveryClaim,
): Promise<ClaimedDelivery[]> {
  const at = toSqlTimestamp(em, now);
  const due = await em.query<{ id: number }[]>(
    `SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND status = 'pending' AND due_at <= ?
     ORDER BY due_at, id LIMIT ${limit}`,
    [endpointId, at],
  );
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return [];
  await affectedBy(
    em,
    `UPDATE webhook_deliveries ${forcePrimaryKey(em)} SET due_at = ?, claim = ?
     WHERE id IN (${placeholders(ids)}) AND status = 'pending' AND due_at <= ?`,
    [toSqlTimestamp(em, until), claim, ...ids, at],
  );
  return em.query<ClaimedDelivery[]>(
    `SELECT d.id, d.claim, d.event_id AS eventId, d.attempts, e.body, e.traceparent FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.body_id
     WHERE d.id IN (${placeholders(ids)}) AND d.claim = ?`,
    [...ids, claim],
  );
}

/** Releases deliveries of one claim, at least one, that were not attempted: they are due immediately. */
export async function releaseClaims(
  em: EntityManager,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'claim'>[],
  now: Date,
): Promise<void> {
  const ids = deliveries.map(({ id }) => id);
  await affectedBy(
    em,
    `UPDATE webhook_deliveries ${forcePrimaryKey(em)} SET due_at = ?, claim = NULL
     WHERE id IN (${placeholders(ids)}) AND claim = ?`,
    [toSqlTimestamp(em, now), ...ids, deliveries[0]?.claim],
  );
}

/** The columns of a delivery that an attempt sets. */
export type AttemptRow = Pick<WebhookDeliveryEntity, 'id'> & AfterAttempt;

/**
 * Locks those of the given deliveries, at least one, that still have their claim, until the transaction ends. Returns
 * their ids.
 */
export async function lockClaimed(
  em: EntityManager,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'claim'>[],
): Promise<Set<number>> {
  const ids = deliveries.map(({ id }) => id);
  const claims = [...new Set(deliveries.map(({ claim }) => claim))];
  // Claims are random, so a row cannot match the claim of another delivery by accident. All transactions lock in the
  // order of ids, so that they do not deadlock.
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM webhook_deliveries WHERE id IN (${placeholders(ids)}) AND claim IN (${placeholders(claims)})
     ORDER BY id${lockingEnd(em)}`,
    [...ids, ...claims],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Records attempts at locked deliveries and ends their claims. */
export async function recordAttempts(em: EntityManager, rows: AttemptRow[]): Promise<void> {
  if (rows.length > 0)
    await updateEach(
      em,
      WebhookDeliveryEntity,
      'id',
      rows.map((row) => ({ ...row, claim: null })),
    );
}

/**
 * Resets deliveries to `pending`, due now, or to `held`; skips deliveries with a running attempt.
 * @param from only deliveries with this status; undefined: with any
 * @returns the number of changed rows
 */
export function sendAgain(
  em: EntityManager,
  ids: readonly number[],
  { status, now, from }: { status: 'pending' | 'held'; now: Date; from?: 'failed' | 'held' },
): Promise<number> {
  const at = toSqlTimestamp(em, now);
  return affectedBy(
    em,
    `UPDATE webhook_deliveries SET status = ?, due_at = ?, attempts = 0, claim = NULL, finished_at = NULL
     WHERE id IN (${placeholders(ids)}) AND (claim IS NULL OR due_at <= ?)${from === undefined ? '' : ' AND status = ?'}`,
    [status, status === 'pending' ? at : null, ...ids, at, ...(from === undefined ? [] : [from])],
  );
}

/**
 * Sets a batch of an endpoint's pending deliveries to `held`, except those with a running attempt. Returns their
 * number. Changes nothing if the endpoint is enabled, unless `every` is true: it may have been enabled since the batch
 * before.
 */
export async function holdBatch(
  em: EntityManager,
  endpointId: number,
  { now, limit, every }: { now: Date; limit: number; every: boolean },
): Promise<number> {
  const at = toSqlTimestamp(em, now);
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND status = 'pending' AND (claim IS NULL OR due_at <= ?)
     ORDER BY due_at LIMIT ${limit}`,
    [endpointId, at],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  return affectedBy(
    em,
    `UPDATE webhook_deliveries SET status = 'held', due_at = NULL, claim = NULL
     WHERE id IN (${placeholders(ids)}) AND status = 'pending' AND (claim IS NULL OR due_at <= ?)
       AND ${every ? '?' : 'EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ? AND status = 0)'}`,
    [...ids, at, endpointId],
  );
}

/**
 * Returns the next ids after `after`, up to `upTo`, of an endpoint's failed or held deliveries created at or after
 * `since`, without tests.
 */
export async function replayable(
  em: EntityManager,
  endpointId: number,
  {
    status,
    since,
    after,
    upTo,
    limit,
  }: {
    status: 'failed' | 'held';
    since: Date;
    after: number;
    upTo: number;
    limit: number;
  },
): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND status = ? AND due_at IS NULL AND id > ? AND id <= ?
       AND created_at >= ? AND event_type <> ? ORDER BY id LIMIT ${limit}`,
    [endpointId, status, after, upTo, toSqlTimestamp(em, since), TEST_TYPE],
  );
  return rows.map(({ id }) => id);
}
