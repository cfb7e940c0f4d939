import { type EntityManager, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { placeholders } from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';

/*
 * What is deleted in time, in batches. Ids are in the order of creation, so what is old stands at the beginning: no index
 * on dates is needed, and where nothing is old, one row says so.
 */

/** Deletes some deliveries, or bodies, from before a moment; answers how many. */
export async function trimOld(
  em: EntityManager,
  table: 'webhook_deliveries' | 'webhook_events',
  before: Date,
  most: number,
): Promise<number> {
  const entity = table === 'webhook_events' ? WebhookEventEntity : WebhookDeliveryEntity;
  const first = await em.find(entity, {
    select: { id: true, created_at: true },
    order: { id: 'ASC' },
    take: most,
  });
  const old = first.filter(({ created_at }) => created_at < before).map(({ id }) => id);
  if (old.length === 0) return 0;
  return affectedBy(em, `DELETE FROM ${table} WHERE id IN (${placeholders(old)})`, old);
}

/** Deletes some of the oldest of what is held for an endpoint beyond the newest `kept`; answers how many. */
export async function dropOldestHeld(
  em: EntityManager,
  endpointId: number,
  { kept, most }: { kept: number; most: number },
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
    take: most,
  });
  // Another instance, which looks after the same, may have been faster.
  if (rows.length === 0) return 0;
  return deleteHeld(
    em,
    rows.map(({ id }) => id),
  );
}

/** One that is to be sent again by now stays. */
const deleteHeld = (em: EntityManager, ids: number[]): Promise<number> =>
  affectedBy(
    em,
    `DELETE FROM webhook_deliveries WHERE id IN (${placeholders(ids)}) AND status = 'held'`,
    ids,
  );

/** The endpoints that are deleted, but for their rows. */
export async function deletedEndpoints(em: EntityManager): Promise<number[]> {
  const rows = await em.find(WebhookEndpointEntity, {
    select: { id: true },
    where: { deleted_at: Not(IsNull()) },
  });
  return rows.map(({ id }) => id);
}

/** Deletes some deliveries of a deleted endpoint, and with the last of them the endpoint; answers how many. */
export async function buryEndpoint(em: EntityManager, id: number, most: number): Promise<number> {
  const rows = await em.find(WebhookDeliveryEntity, {
    select: { id: true },
    where: { endpoint_id: id },
    order: { id: 'ASC' },
    take: most,
  });
  if (rows.length > 0) await em.delete(WebhookDeliveryEntity, { id: In(rows.map((row) => row.id)) });
  if (rows.length < most) await em.delete(WebhookEndpointEntity, { id });
  return rows.length;
}
