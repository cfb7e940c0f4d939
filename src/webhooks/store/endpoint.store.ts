import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { type RawCount, toCount, toSqlTimestamp } from '../../database/sql/dialect';
import {
  affectedBy,
  findRows,
  insertRows,
  lockRows,
  queryRows,
  updateRows,
} from '../../database/sql/statements';
import { type DisabledReason, WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';

/* Statements on endpoints. There are at most 50, so all of them are read together. */

/**
 * Whether new events are stored for an endpoint: if it is enabled, or was disabled by the service, not by an
 * administrator.
 */
export const collects = ({ status, disabled_reason }: WebhookEndpointEntity): boolean =>
  status === 1 || disabled_reason !== null;

/** Returns all endpoints that are not deleted, ordered by id. */
export async function allEndpoints(em: EntityManager): Promise<WebhookEndpointEntity[]> {
  const rows = await findRows(em, WebhookEndpointEntity, { deleted_at: null });
  return rows.toSorted((a, b) => a.id - b.id);
}

/** @throws {BusinessError} WEBHOOK_NOT_FOUND */
export async function endpointById(em: EntityManager, id: number): Promise<WebhookEndpointEntity> {
  const [endpoint] = await findRows(em, WebhookEndpointEntity, { id, deleted_at: null });
  if (endpoint === undefined) throw new BusinessError('WEBHOOK_NOT_FOUND');
  return endpoint;
}

/** Locks an endpoint until the transaction ends and returns its current state; undefined if it does not exist. */
export async function lockEndpoint(
  em: EntityManager,
  id: number,
): Promise<WebhookEndpointEntity | undefined> {
  const [endpoint] = await lockRows(em, WebhookEndpointEntity, { id, deleted_at: null });
  return endpoint;
}

/** Inserts an endpoint and returns its id. */
export const insertEndpoint = (
  em: EntityManager,
  endpoint: Omit<WebhookEndpointEntity, 'id'>,
): Promise<number> => insertRows(em, WebhookEndpointEntity, [endpoint]);

/** Updates an endpoint that is locked. */
export const updateEndpoint = (
  em: EntityManager,
  id: number,
  changes: Partial<WebhookEndpointEntity>,
): Promise<number> => updateRows(em, WebhookEndpointEntity, { id }, changes);

/** Returns the lowest free slot from 1 to `max`; undefined if all are used. */
export async function freeSlot(em: EntityManager, max: number): Promise<number | undefined> {
  const used = new Set((await allEndpoints(em)).map(({ slot }) => slot));
  return Array.from({ length: max }, (_, index) => index + 1).find((slot) => !used.has(slot));
}

/** Counts the pending deliveries of each of the given endpoints. */
export async function pendingCounts(em: EntityManager, ids: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const id of ids) {
    const [row] = await em.query<{ pending: RawCount }[]>(
      `SELECT COUNT(*) AS pending FROM webhook_deliveries WHERE endpoint_id = ? AND status = 'pending'`,
      [id],
    );
    counts.set(id, toCount(row?.pending));
  }
  return counts;
}

/**
 * Adds the results of attempts to an endpoint's row. A success resets the failures, including those of the same batch.
 */
export async function noteAttempts(
  em: EntityManager,
  endpointId: number,
  { succeeded, failed }: { succeeded: number; failed: number },
  now: Date,
): Promise<void> {
  const at = toSqlTimestamp(em, now);
  if (failed > 0)
    await affectedBy(
      em,
      `UPDATE webhook_endpoints SET last_failure_at = ?, failed_attempts = failed_attempts + ?,
         silent_since = COALESCE(silent_since, ?) WHERE id = ?`,
      [at, failed, at, endpointId],
    );
  if (succeeded > 0)
    await affectedBy(
      em,
      'UPDATE webhook_endpoints SET last_success_at = ?, failed_attempts = 0, silent_since = ? WHERE id = ?',
      [at, at, endpointId],
    );
}

/** Disables an endpoint if it is enabled and its URL is still the one that failed. Returns whether it did. */
export async function disableEndpoint(
  em: EntityManager,
  { id, url }: Pick<WebhookEndpointEntity, 'id' | 'url'>,
  reason: DisabledReason,
): Promise<boolean> {
  const disabled = { status: 0, disabled_reason: reason };
  return (await updateRows(em, WebhookEndpointEntity, { id, url, status: 1 }, disabled)) === 1;
}

/** Returns the enabled endpoints with due deliveries. */
export const dueEndpoints = (em: EntityManager, now: Date): Promise<WebhookEndpointEntity[]> =>
  queryRows(
    em,
    WebhookEndpointEntity,
    `SELECT * FROM webhook_endpoints e WHERE e.status = 1 AND e.deleted_at IS NULL AND EXISTS
       (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.due_at <= ?)
     ORDER BY e.id`,
    [toSqlTimestamp(em, now)],
  );

/** Returns the ids of the enabled endpoints. */
export async function idsOfThoseOn(em: EntityManager): Promise<number[]> {
  const rows = await findRows(em, WebhookEndpointEntity, { status: 1, deleted_at: null }, ['id']);
  return rows.map(({ id }) => id);
}

/** Returns the ids of disabled endpoints, or with `every` of all endpoints, that have pending deliveries. */
export async function endpointsToHold(em: EntityManager, every: boolean): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT e.id FROM webhook_endpoints e WHERE ${every ? '' : 'e.status = 0 AND '}EXISTS
       (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending')`,
  );
  return rows.map(({ id }) => id);
}
