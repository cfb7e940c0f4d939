import { type EntityManager, IsNull, LessThan, type FindOptionsWhere } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { type DeliveryStatus, WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';

/** Filters of an endpoint's deliveries; omitted fields do not filter. */
export interface DeliveryFilter {
  status?: DeliveryStatus;
  event_type?: string;
  /** Only deliveries with a lower id, which are older. */
  before?: number;
}

/**
 * Finds the newest deliveries of an endpoint. Adds `due_at IS NULL`, which holds for every status but `pending`, so
 * that the index on (`endpoint_id`, `status`, `due_at`) returns the rows in the order of their ids.
 */
export async function newestDeliveries(
  em: EntityManager,
  endpointId: number,
  { status, event_type, before }: DeliveryFilter,
  limit: number,
): Promise<WebhookDeliveryEntity[]> {
  const where: FindOptionsWhere<WebhookDeliveryEntity> = {
    endpoint_id: endpointId,
    ...(status !== undefined && { status }),
    ...(status !== undefined && status !== 'pending' && { due_at: IsNull() }),
    ...(event_type !== undefined && { event_type }),
    ...(before !== undefined && { id: LessThan(before) }),
  };
  return em.find(WebhookDeliveryEntity, { where, order: { id: 'DESC' }, take: limit });
}

/** Returns one delivery of an endpoint with its body. @throws {BusinessError} DELIVERY_NOT_FOUND */
export async function deliveryOf(
  em: EntityManager,
  endpointId: number,
  id: number,
): Promise<{ delivery: WebhookDeliveryEntity; body: string }> {
  const delivery = await em.findOneBy(WebhookDeliveryEntity, { id, endpoint_id: endpointId });
  const event = delivery && (await em.findOneBy(WebhookEventEntity, { id: delivery.body_id }));
  if (!delivery || !event) throw new BusinessError('DELIVERY_NOT_FOUND');
  return { delivery, body: event.body };
}

/** Returns the highest id of all deliveries; 0 if there are none. */
export async function newestDeliveryId(em: EntityManager): Promise<number> {
  return (await em.maximum(WebhookDeliveryEntity, 'id')) ?? 0;
}
