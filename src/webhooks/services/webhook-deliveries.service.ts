import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import { keysetPage, type ListName, readCursor } from '../../common/http/keyset';
import { Transactions } from '../../database/transactions';
import type { ListDeliveriesQuery } from '../dto/webhook-requests.dto';
import {
  toWebhookDeliveryResponse,
  type WebhookDeliveriesResponse,
  type WebhookDeliveryDetailResponse,
} from '../dto/webhook-responses.dto';
import { deliveryOf, newestDeliveries, newestDeliveryId } from '../store/delivery-lists.store';
import { replayable, sendAgain } from '../store/delivery.store';
import { endpointById } from '../store/endpoint.store';
import { WebhookDispatcher } from './webhook-dispatcher';
import { WebhookSecrets } from './webhook-secrets';

const BATCH_SIZE = 500;

/** Lists the deliveries of an endpoint and sends them again (API 14.2). */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly secrets: WebhookSecrets,
    private readonly deliverer: WebhookDispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a page of an endpoint's deliveries, newest first.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND
   * @throws {BusinessError} VALIDATION `cursor 取值无效`
   */
  async list(
    endpointId: number,
    { limit, cursor, status, event_type }: ListDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    const list: ListName = ['webhook-deliveries', endpointId, status, event_type];
    const before = readCursor(list, cursor);
    const manager = this.transactions.read();
    await endpointById(manager, endpointId);
    const found = await newestDeliveries(manager, endpointId, { status, event_type, before }, limit + 1);
    return keysetPage(list, { found, limit }, toWebhookDeliveryResponse);
  }

  /** Returns one delivery with its payload. @throws {BusinessError} WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND */
  async find(endpointId: number, id: number): Promise<WebhookDeliveryDetailResponse> {
    const manager = this.transactions.read();
    await endpointById(manager, endpointId);
    const { delivery, body } = await deliveryOf(manager, endpointId, id);
    const payload = JSON.parse(body) as Record<string, unknown>;
    return Object.assign(toWebhookDeliveryResponse(delivery), { payload, response: delivery.response });
  }

  /**
   * Sends a delivery again, regardless of its status: with the same `webhook-id` and the full retry schedule. Does
   * nothing if an attempt is running. If the endpoint is disabled, or WEBHOOK_SECRET is not set, the delivery is held
   * instead.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND
   */
  async redeliver(endpointId: number, id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      const { status } = await endpointById(em, endpointId);
      await deliveryOf(em, endpointId, id);
      const newStatus = status === 1 && this.secrets.isConfigured ? 'pending' : 'held';
      if ((await sendAgain(em, [id], { status: newStatus, now: this.clock.now() })) > 0)
        recordAudit(em, { object_id: endpointId, before: null, after: { delivery_id: id } });
    });
    this.deliverer.wake();
  }

  /**
   * Sends the failed and held deliveries again that were created at or after `since`, and returns their number. Does
   * nothing if the endpoint is disabled or WEBHOOK_SECRET is not set.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND
   */
  async replay(endpointId: number, since: Date): Promise<number> {
    const manager = this.transactions.read();
    const { status } = await endpointById(manager, endpointId);
    if (status === 0 || !this.secrets.isConfigured) return 0;
    const upTo = await newestDeliveryId(manager);
    let queued = 0;
    for (const deliveryStatus of ['failed', 'held'] as const)
      queued += await this.#replay(endpointId, { status: deliveryStatus, since, upTo });
    this.deliverer.wake();
    return queued;
  }

  /** Works in batches, each in its own transaction, because there may be many deliveries. */
  async #replay(
    endpointId: number,
    filter: { status: 'failed' | 'held'; since: Date; upTo: number },
  ): Promise<number> {
    let queued = 0;
    for (let after = 0; ;) {
      const range = { ...filter, after, limit: BATCH_SIZE };
      const ids = await replayable(this.transactions.read(), endpointId, range);
      if (ids.length === 0) return queued;
      const now = this.clock.now();
      queued += await this.transactions.run(async (em) => {
        // Another replay may have sent some of them again meanwhile.
        const count = await sendAgain(em, ids, { status: 'pending', now, from: filter.status });
        // Written with each batch, so that a replay that fails in the middle is audited, too.
        if (count > 0)
          recordAudit(em, { object_id: endpointId, before: null, after: { since: filter.since } });
        return count;
      });
      after = ids.at(-1) ?? after;
    }
  }
}
