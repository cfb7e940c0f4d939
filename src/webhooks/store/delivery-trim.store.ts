import { type EntityManager, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { deleteRows } from '../../database/sql/statements';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';

/*
 * Deletes rows in batches. Ids are in the order of creation, so the oldest rows have the lowest ids and no index on
 * dates is needed.
 */

/** Deletes a batch of deliveries or bodies created before a time. Returns their number. */
export async function trimOld(
  em: EntityManager,
  entity: typeof WebhookDeliveryEntity | typeof WebhookEventEntity,
  before: Date,
  limit: number,
): Promise<number> {
  const first = await em.find(entity, {
    select: { id: true, created_at: true },
    order: { id: 'ASC' },
    take: limit,
  });
  const old = first.filter(({ created_at }) => created_at < before).map(({ id }) => id);
  return old.length === 0
    ? 0
    : deleteRows<WebhookDeliveryEntity | WebhookEventEntity>(em, entity, { id: old });
}

/** Deletes a batch of the oldest held deliveries of an endpoint beyond the newest `kept`. Returns their number. */
export async function trimHeldDeliveries(
  em: EntityManager,
  endpointId: number,
  { kept, limit }: { kept: number; limit: number },
): Promise<number> {
  const held = { endpoint_id: endpointId, status: 'held', due_at: IsNull() } as const;
  const [last] = await em.find(WebhookDeliveryEntity, {
    select: { id: true },
    where: held,
    order: { id: 'DESC' },
    skip: kept,
    take: 1,
  });
  if (last === undefined) return 0;
  const rows = await em.find(WebhookDeliveryEntity, {
    select: { id: true },
    where: { ...held, id: LessThanOrEqual(last.id) },
    order: { id: 'ASC' },
    take: limit,
  });
  // Another instance may have deleted them in the meantime.
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  // Some of them may have been sent again in the meantime.
  return deleteRows(em, WebhookDeliveryEntity, { id: ids, status: 'held' });
}

/** Returns the ids of soft-deleted endpoints. */
export async function deletedEndpoints(em: EntityManager): Promise<number[]> {
  const rows = await em.find(WebhookEndpointEntity, {
    select: { id: true },
    where: { deleted_at: Not(IsNull()) },
  });
  return rows.map(({ id }) => id);
}

/** Deletes a batch of deliveries of a deleted endpoint, and the endpoint with the last batch. Returns their number. */
export async function deleteEndpointRows(em: EntityManager, id: number, limit: number): Promise<number> {
  const rows = await em.find(WebhookDeliveryEntity, {
    select: { id: true },
    where: { endpoint_id: id },
    order: { id: 'ASC' },
    take: limit,
  });
  if (rows.length > 0) await em.delete(WebhookDeliveryEntity, { id: In(rows.map((row) => row.id)) });
  if (rows.length < limit) await em.delete(WebhookEndpointEntity, { id });
  return rows.length;
}
