import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { noteAudit } from '../../audit/trail/note-audit';
import { Clock } from '../../common/clock';
import { keysetPage, type ListName, readCursor } from '../../common/http/keyset';
import { Transactions } from '../../database/transactions';
import type { ListDeliveriesQuery } from '../dto/webhook-requests.dto';
import {
  toWebhookDeliveryResponse,
  type WebhookDeliveriesResponse,
  type WebhookDeliveryDetailResponse,
} from '../dto/webhook-responses.dto';
import { deliveryOf, newestDeliveries, newestDeliveryId } from '../store/delivery-lists';
import { replayable, sendAgain } from '../store/delivery-rows';
import { endpointById } from '../store/endpoint-rows';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookSecrets } from './webhook-secrets';

const BATCH = 500;

/** What was sent to an endpoint and what came of it, and sending it again (contract 12.1). */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly secrets: WebhookSecrets,
    private readonly deliverer: WebhookDeliverer,
    private readonly clock: Clock,
  ) {}

  /**
   * A page of an endpoint's deliveries, newest first.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND
   * @throws {BusinessError} VALIDATION `cursor 取值无效`
   */
  async list(
    endpointId: number,
    { limit, cursor, status, event_type }: ListDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    const list: ListName = ['webhook-deliveries', endpointId, status, event_type];
    const before = readCursor(list, cursor);
    const { manager } = this.dataSource;
    await endpointById(manager, endpointId);
    const found = await newestDeliveries(manager, endpointId, { status, event_type, before }, limit + 1);
    return keysetPage(list, { found, limit }, toWebhookDeliveryResponse);
  }

  /** One delivery with what is sent. @throws {BusinessError} WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND */
  async find(endpointId: number, id: number): Promise<WebhookDeliveryDetailResponse> {
    const { manager } = this.dataSource;
    await endpointById(manager, endpointId);
    const { delivery, body } = await deliveryOf(manager, endpointId, id);
    const payload = JSON.parse(body) as Record<string, unknown>;
    return Object.assign(toWebhookDeliveryResponse(delivery), { payload, response: delivery.response });
  }

  /**
   * Sends a delivery again, from the beginning and under the same `webhook-id`, whatever had come of it; one that is under
   * way goes on. While the endpoint is off it is held instead.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND
   */
  async redeliver(endpointId: number, id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      const { status } = await endpointById(em, endpointId);
      await deliveryOf(em, endpointId, id);
      const again = status === 1 && this.secrets.areThere ? 'pending' : 'held';
      if ((await sendAgain(em, [id], { status: again, now: this.clock.now() })) > 0)
        noteAudit(em, { object_id: endpointId, before: null, after: { delivery_id: id } });
    });
    this.deliverer.wake();
  }

  /**
   * Sends everything again that has failed or is held since a moment; answers how many. Of an endpoint that is off, nothing.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND
   */
  async replay(endpointId: number, since: Date): Promise<number> {
    const { manager } = this.dataSource;
    const { status } = await endpointById(manager, endpointId);
    if (status === 0 || !this.secrets.areThere) return 0;
    const upTo = await newestDeliveryId(manager);
    let queued = 0;
    for (const one of ['failed', 'held'] as const)
      queued += await this.#replay(endpointId, { status: one, since, upTo });
    this.deliverer.wake();
    return queued;
  }

  /** In batches, each a transaction: there may be much of it. */
  async #replay(
    endpointId: number,
    wanted: { status: 'failed' | 'held'; since: Date; upTo: number },
  ): Promise<number> {
    let queued = 0;
    for (let after = 0; ;) {
      const range = { ...wanted, after, most: BATCH };
      const ids = await replayable(this.dataSource.manager, endpointId, range);
      if (ids.length === 0) return queued;
      const now = this.clock.now();
      queued += await this.transactions.run(async (em) => {
        const again = await sendAgain(em, ids, { status: 'pending', now });
        // With the first batch: one that comes to nothing in the middle was begun all the same.
        if (again > 0) noteAudit(em, { object_id: endpointId, before: null, after: { since: wanted.since } });
        return again;
      });
      after = ids.at(-1) ?? after;
    }
  }
}
