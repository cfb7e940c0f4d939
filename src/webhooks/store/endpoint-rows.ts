import { type EntityManager, IsNull } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { lockingRows, type RawCount, toCount, toMoment } from '../../database/dialect';
import { affectedBy, findRows } from '../../database/rows';
import { type DisabledReason, WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';

/* Rows of endpoints. There are few of them, so they are read whole. */

/** An endpoint that is off by the service's own doing goes on collecting; where somebody switched it off, nothing comes. */
export const collects = ({ status, disabled_reason }: WebhookEndpointEntity): boolean =>
  status === 1 || disabled_reason !== null;

/** All that are there, by id. */
export async function allEndpoints(em: EntityManager): Promise<WebhookEndpointEntity[]> {
  const rows = await findRows(em, WebhookEndpointEntity, { deleted_at: null });
  return rows.toSorted((a, b) => a.id - b.id);
}

/** @throws {BusinessError} WEBHOOK_NOT_FOUND */
export async function endpointById(em: EntityManager, id: number): Promise<WebhookEndpointEntity> {
  const endpoint = await em.findOneBy(WebhookEndpointEntity, { id, deleted_at: IsNull() });
  if (endpoint === null) throw new BusinessError('WEBHOOK_NOT_FOUND');
  return endpoint;
}

/** One as it is now, held until the transaction ends; null where there is none. */
export const lockedEndpoint = (em: EntityManager, id: number): Promise<WebhookEndpointEntity | null> =>
  lockingRows(
    em.createQueryBuilder(WebhookEndpointEntity, 'e').where('e.id = :id AND e.deleted_at IS NULL', { id }),
  ).getOne();

/** The lowest of the places 1 to `most` that is free; undefined where none is. */
export async function freeSlot(em: EntityManager, most: number): Promise<number | undefined> {
  const taken = new Set((await allEndpoints(em)).map(({ slot }) => slot));
  return Array.from({ length: most }, (_, index) => index + 1).find((slot) => !taken.has(slot));
}

/** How many deliveries of each endpoint are pending; of one that is not in the map, none. */
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

/** What has come of an endpoint's attempts, several together. */
export interface AttemptCounts {
  succeeded: number;
  failed: number;
}

/** Notes at an endpoint what has come of attempts. A success makes up for the failures beside it. */
export async function noteAttempts(
  em: EntityManager,
  endpointId: number,
  { succeeded, failed }: AttemptCounts,
  now: Date,
): Promise<void> {
  const at = toMoment(em, now);
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

/** Switches an endpoint off, if it is on and still at the address that has failed; answers whether it was. */
export async function switchOff(
  em: EntityManager,
  { id, url }: Pick<WebhookEndpointEntity, 'id' | 'url'>,
  reason: DisabledReason,
): Promise<boolean> {
  const sql =
    'UPDATE webhook_endpoints SET status = 0, disabled_reason = ? WHERE id = ? AND url = ? AND status = 1';
  return (await affectedBy(em, sql, [reason, id, url])) === 1;
}

/** The endpoints that are on and have something due. */
export function dueEndpoints(em: EntityManager, now: Date): Promise<WebhookEndpointEntity[]> {
  return em
    .createQueryBuilder(WebhookEndpointEntity, 'e')
    .where('e.status = 1 AND e.deleted_at IS NULL')
    .andWhere(
      `EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.due_at <= :now)`,
      { now: toMoment(em, now) },
    )
    .orderBy('e.id')
    .getMany();
}

/** The ids of the endpoints that are on. */
export async function idsOfThoseOn(em: EntityManager): Promise<number[]> {
  const rows = await em.query<{ id: number | string }[]>(
    'SELECT id FROM webhook_endpoints WHERE status = 1 AND deleted_at IS NULL',
  );
  return rows.map(({ id }) => Number(id));
}

/** The ids of endpoints that are off, or of all with `every`, and have something pending. */
export async function endpointsToHold(em: EntityManager, every: boolean): Promise<number[]> {
  const rows = await em.query<{ id: number | string }[]>(
    `SELECT e.id FROM webhook_endpoints e WHERE ${every ? '' : 'e.status = 0 AND '}EXISTS
       (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending')`,
  );
  return rows.map(({ id }) => Number(id));
}
