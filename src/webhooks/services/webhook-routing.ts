import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { Transactions } from '../../database/transactions';
import { DOMAIN_EVENT_TYPES, type DomainEventType, isDomainEventType } from '../../outbox/domain-event-types';
import { OutboxConsumer } from '../../outbox/outbox-consumer';
import type { OutboxEvent } from '../../outbox/outbox-event';
import { OutboxDispatcher } from '../../outbox/outbox-dispatcher';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { bodyOf, type EventForm, hasContent } from '../rules/event-body.rules';
import { wants } from '../rules/event-types.rules';
import { insertBodies, insertDeliveries, type NewDelivery } from '../store/delivery.store';
import { allEndpoints, collects } from '../store/endpoint.store';
import { WebhookDispatcher } from './webhook-dispatcher';
import { WebhookSecrets } from './webhook-secrets';

/** Bodies per INSERT statement: each may be long. */
const BODY_BATCH_SIZE = 50;

/** A domain event in one payload format, and the endpoints that receive it in this format. */
interface PayloadVariant {
  event: OutboxEvent;
  form: EventForm;
  endpoints: WebhookEndpointEntity[];
}

/** Creates the deliveries of domain events, one per subscribed endpoint (API 14.4). */
@Injectable()
export class WebhookRouting extends OutboxConsumer implements OnModuleInit {
  readonly name = 'webhooks';

  constructor(
    private readonly transactions: Transactions,
    private readonly dispatcher: OutboxDispatcher,
    private readonly secrets: WebhookSecrets,
    private readonly deliverer: WebhookDispatcher,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.dispatcher.register(this);
  }

  async subscribedTypes(): Promise<ReadonlySet<DomainEventType>> {
    const endpoints = (await allEndpoints(this.transactions.read())).filter(collects);
    const subscribed = endpoints.flatMap(typesOf);
    return new Set(DOMAIN_EVENT_TYPES.filter((type) => wants(subscribed, type)));
  }

  async dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void> {
    const endpoints = (await allEndpoints(em)).filter(collects);
    const variants = events
      .filter(({ type }) => isDomainEventType(type))
      .flatMap((event) => payloadVariantsOf(event, endpoints));
    for (const chunk of inChunks(variants, BODY_BATCH_SIZE)) await this.#insert(em, chunk);
  }

  onCommitted(): void {
    this.deliverer.wake();
  }

  async #insert(em: EntityManager, variants: PayloadVariant[]): Promise<void> {
    const now = this.clock.now();
    const bodies = variants.map(({ event, form }) => ({
      body: bodyOf({ id: event.eventId, type: event.type, at: event.at, data: event.payload }, form),
      traceparent: event.traceparent,
    }));
    const bodyIds = await insertBodies(em, bodies, now);
    const rows = variants.flatMap(({ event, endpoints }, index) =>
      endpoints.map((endpoint) => this.#toDelivery(event, endpoint, { bodyId: bodyIds[index] ?? 0, now })),
    );
    for (const chunk of inChunks(rows)) await insertDeliveries(em, chunk);
  }

  #toDelivery(
    { eventId, type }: OutboxEvent,
    { id, status }: WebhookEndpointEntity,
    { bodyId, now }: { bodyId: number; now: Date },
  ): NewDelivery {
    const canBeSent = status === 1 && this.secrets.isConfigured;
    return {
      endpoint_id: id,
      event_id: eventId,
      event_type: type,
      body_id: bodyId,
      status: canBeSent ? 'pending' : 'held',
      due_at: canBeSent ? now : null,
      claim: null,
      created_at: now,
    };
  }
}

const typesOf = ({ event_types }: WebhookEndpointEntity): string[] => JSON.parse(event_types) as string[];

/** Groups the subscribed endpoints of a domain event by payload format. */
function payloadVariantsOf(event: OutboxEvent, endpoints: WebhookEndpointEntity[]): PayloadVariant[] {
  const subscribed = endpoints.filter((endpoint) => wants(typesOf(endpoint), event.type));
  const formOf = ({ version, include_content }: WebhookEndpointEntity): EventForm => ({
    version,
    withContent: include_content && hasContent(event.type),
  });
  const byForm = Map.groupBy(subscribed, (endpoint) => JSON.stringify(formOf(endpoint)));
  return [...byForm].map(([form, endpointsOfForm]) => ({
    event,
    form: JSON.parse(form) as EventForm,
    endpoints: endpointsOfForm,
  }));
}
