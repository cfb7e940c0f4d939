import { type EntityManager, IsNull, LessThan, type FindOptionsWhere } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { type DeliveryStatus, WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';

/** Which of an endpoint's deliveries are wanted; parts left out are no condition. */
export interface DeliveryFilter {
  status?: DeliveryStatus;
  event_type?: string;
  /** Those before this one, which are older. */
  before?: number;
}

/**
 * The newest deliveries of an endpoint. Of what is not pending, `due_at` is null, so that those of a status are in its index
 * in their order.
 */
export async function newestDeliveries(
  em: EntityManager,
  endpointId: number,
  { status, event_type, before }: DeliveryFilter,
  most: number,
): Promise<WebhookDeliveryEntity[]> {
  const where: FindOptionsWhere<WebhookDeliveryEntity> = {
    endpoint_id: endpointId,
    ...(status !== undefined && { status }),
    ...(status !== undefined && status !== 'pending' && { due_at: IsNull() }),
    ...(event_type !== undefined && { event_type }),
    ...(before !== undefined && { id: LessThan(before) }),
  };
  return em.find(WebhookDeliveryEntity, { where, order: { id: 'DESC' }, take: most });
}

/** One delivery of an endpoint, with what is sent. @throws {BusinessError} DELIVERY_NOT_FOUND */
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

/** The newest delivery of all, by id; 0 where there is none. */
export async function newestDeliveryId(em: EntityManager): Promise<number> {
  return (await em.maximum(WebhookDeliveryEntity, 'id')) ?? 0;
}
