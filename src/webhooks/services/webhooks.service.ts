import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SECRET } from '../../audit/rules/changed-fields.rules';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { ItemsPage, offsetOf, type PageRequest } from '../../common/http/page';
import { sentFields } from '../../common/input/sent-fields';
import type { IdempotencyRecord } from '../../database/idempotency/idempotency-record';
import { type RunInTransaction, Transactions } from '../../database/transactions';
import { AddressPolicy } from '../../outbound/address-policy';
import { OutboxDispatcher } from '../../outbox/outbox-dispatcher';
import type { ChangeWebhookRequest, CreateWebhookRequest } from '../dto/webhook-requests.dto';
import {
  type CreatedWebhookResponse,
  toWebhookResponse,
  type WebhookResponse,
  type WebhookSecretResponse,
} from '../dto/webhook-responses.dto';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { NEWEST_VERSION } from '../rules/event-body.rules';
import {
  allEndpoints,
  endpointById,
  freeSlot,
  insertEndpoint,
  lockEndpoint,
  pendingCounts,
  updateEndpoint,
} from '../store/endpoint.store';
import { newSalt, WebhookSecrets } from './webhook-secrets';

const MAX_ENDPOINTS = 50;
/** Time after a rotation during which requests are also signed with the previous secret. */
const ROTATION_SECONDS = 86_400;

/** Manages the endpoints of integrations for administrators (API 14.1). */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly dispatcher: OutboxDispatcher,
    private readonly secrets: WebhookSecrets,
    private readonly addresses: AddressPolicy,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of the endpoints, ordered by id. */
  list(page: PageRequest): Promise<ItemsPage<WebhookResponse>> {
    return this.transactions.run(async (em) => {
      const all = await allEndpoints(em);
      const endpoints = all.slice(offsetOf(page), offsetOf(page) + page.per_page);
      const counts = await pendingCounts(
        em,
        endpoints.map(({ id }) => id),
      );
      const items = endpoints.map((endpoint) => toWebhookResponse(endpoint, counts.get(endpoint.id) ?? 0));
      return new ItemsPage(items, all.length, page);
    });
  }

  /** @throws {BusinessError} WEBHOOK_NOT_FOUND */
  find(id: number): Promise<WebhookResponse> {
    return this.transactions.run(async (em) => loadResponse(em, await endpointById(em, id)));
  }

  /**
   * Creates an endpoint, once per idempotency key. Returns its secret, which is null when the request is repeated.
   * @throws {BusinessError} UNAVAILABLE: WEBHOOK_SECRET is not set; REQUEST_ID_REUSED
   * @throws {BusinessError} VALIDATION `url 取值无效`, `url 数量不能超过 50`
   */
  async create(body: CreateWebhookRequest, idempotency?: IdempotencyRecord): Promise<CreatedWebhookResponse> {
    const response = await this.transactions.runIdempotent<CreatedWebhookResponse>(idempotency, body, {
      create: (run) => this.#insert(run, body),
      replay: async (id) => Object.assign(await this.find(id), { secret: null }),
    });
    await this.#refreshSubscriptions();
    return response;
  }

  async #insert(
    run: RunInTransaction,
    { event_types, description, ...sent }: CreateWebhookRequest,
  ): Promise<CreatedWebhookResponse> {
    const salt = newSalt();
    const secret = this.secrets.newestOf({ salt });
    this.#assertAllowedUrl(sent.url);
    // Two concurrent requests may choose the same slot: one of them violates the unique index and starts over.
    return run(
      async (em) => {
        const slot = await freeSlot(em, MAX_ENDPOINTS);
        if (slot === undefined) throw invalidField('url', (catalogue) => catalogue.tooMany(MAX_ENDPOINTS));
        const endpoint = {
          ...sent,
          slot,
          event_types: JSON.stringify(event_types),
          description: description ?? null,
          disabled_reason: null,
          version: NEWEST_VERSION,
          salt,
          previous_salt: null,
          previous_until: null,
          failed_attempts: 0,
          silent_since: null,
          last_success_at: null,
          last_failure_at: null,
          created_at: this.clock.now(),
          deleted_at: null,
        };
        const id = await insertEndpoint(em, endpoint);
        recordAudit(em, { object_id: id, before: null, after: auditedFields(endpoint) });
        return Object.assign(toWebhookResponse({ ...endpoint, id }, 0), { secret });
      },
      { retryOnDuplicateKey: true },
    );
  }

  /**
   * Changes the given fields. Enabling the endpoint or changing its URL resets its failure count.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND
   * @throws {BusinessError} VALIDATION `url 取值无效`
   */
  async change(id: number, body: ChangeWebhookRequest): Promise<WebhookResponse> {
    await this.find(id);
    if (body.url !== undefined) this.#assertAllowedUrl(body.url);
    return this.#changeLocked(id, async (em, endpoint) => {
      const { url, event_types, description, include_content, status } = body;
      const resetsFailures =
        (url !== undefined && url !== endpoint.url) || (status === 1 && endpoint.status === 0);
      const columns = sentFields({
        url,
        event_types: event_types && JSON.stringify(event_types),
        description: description === '' ? null : description,
        include_content,
        status,
        // An administrator's decision replaces that of the service.
        disabled_reason: status === undefined ? undefined : null,
        ...(resetsFailures && { failed_attempts: 0, silent_since: null }),
      });
      if (Object.keys(columns).length > 0) await updateEndpoint(em, id, columns);
      const before = auditedFields(endpoint);
      Object.assign(endpoint, columns);
      recordAudit(em, { object_id: id, before, after: auditedFields(endpoint) });
      return loadResponse(em, endpoint);
    });
  }

  /** Deletes an endpoint; the retention job deletes its deliveries. @throws {BusinessError} WEBHOOK_NOT_FOUND */
  remove(id: number): Promise<void> {
    return this.#changeLocked(id, async (em, endpoint) => {
      const columns = { slot: null, status: 0, disabled_reason: null, deleted_at: this.clock.now() };
      await updateEndpoint(em, id, columns);
      recordAudit(em, { object_id: id, before: auditedFields(endpoint), after: null });
    });
  }

  /**
   * Replaces the secret and returns the new one, which no later response contains. For 24 h requests are also signed
   * with the previous secret, but with none before that.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND, UNAVAILABLE: WEBHOOK_SECRET is not set
   */
  rotateSecret(id: number): Promise<WebhookSecretResponse> {
    return this.#changeLocked(id, async (em, endpoint) => {
      const salt = newSalt();
      const secret = this.secrets.newestOf({ salt });
      const previous_until = plusSeconds(this.clock.now(), ROTATION_SECONDS);
      await updateEndpoint(em, id, { salt, previous_salt: endpoint.salt, previous_until });
      recordAudit(em, { object_id: id, before: { secret: SECRET }, after: { secret: SECRET } });
      return { secret };
    });
  }

  async #changeLocked<T>(
    id: number,
    change: (em: EntityManager, endpoint: WebhookEndpointEntity) => Promise<T>,
  ): Promise<T> {
    const result = await this.transactions.run(async (em) => {
      const endpoint = await lockEndpoint(em, id);
      if (endpoint === undefined) throw new BusinessError('WEBHOOK_NOT_FOUND');
      return change(em, endpoint);
    });
    await this.#refreshSubscriptions();
    return result;
  }

  /**
   * Applies changed subscriptions immediately on this instance. Other instances, and this one if the refresh fails,
   * apply them within 10 s.
   */
  async #refreshSubscriptions(): Promise<void> {
    await this.dispatcher.refreshSubscriptions().catch(() => undefined);
  }

  /** Rejects URLs that are never allowed. The addresses of a host name are checked for each request. */
  #assertAllowedUrl(url: string): void {
    if (!this.addresses.mayAllow(new URL(url))) throw invalidField('url', 'invalid');
  }
}

type AuditedFields = 'url' | 'event_types' | 'description' | 'include_content' | 'status' | 'disabled_reason';

/** The fields of an endpoint in the audit log. */
const auditedFields = (endpoint: Pick<WebhookEndpointEntity, AuditedFields>) => ({
  url: endpoint.url,
  event_types: JSON.parse(endpoint.event_types) as string[],
  description: endpoint.description,
  include_content: endpoint.include_content,
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
});

async function loadResponse(em: EntityManager, endpoint: WebhookEndpointEntity): Promise<WebhookResponse> {
  const counts = await pendingCounts(em, [endpoint.id]);
  return toWebhookResponse(endpoint, counts.get(endpoint.id) ?? 0);
}
