import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { insertAllotted } from '../../database/rows';
import { ACT_TYPES, type ActType } from '../../outbox/act-types';
import { type OutboxAct, OutboxConsumer } from '../../outbox/outbox-consumer';
import { OutboxRouter } from '../../outbox/outbox-router';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';
import { bodyOf, type EventForm, hasContent } from '../rules/event-body';
import { wants } from '../rules/event-types';
import { insertDeliveries, type NewDelivery } from '../store/delivery-rows';
import { allEndpoints, collects } from '../store/endpoint-rows';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookSecrets } from './webhook-secrets';

/** Bodies may be long: so many are written with one statement. */
const BODIES_AT_ONCE = 50;

/** An act in one form, and the endpoints that get it so. */
interface Telling {
  act: OutboxAct;
  form: EventForm;
  endpoints: WebhookEndpointEntity[];
}

/** Makes deliveries of acts, one for each endpoint that wants to hear of them (contract 12.2). */
@Injectable()
export class WebhookRouting extends OutboxConsumer implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly router: OutboxRouter,
    private readonly secrets: WebhookSecrets,
    private readonly deliverer: WebhookDeliverer,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.router.register(this);
  }

  async wantedTypes(): Promise<ReadonlySet<ActType>> {
    const endpoints = (await allEndpoints(this.dataSource.manager)).filter(collects);
    const subscribed = endpoints.flatMap(typesOf);
    return new Set(ACT_TYPES.filter((type) => wants(subscribed, type)));
  }

  async route(acts: readonly OutboxAct[], em: EntityManager): Promise<void> {
    const endpoints = (await allEndpoints(em)).filter(collects);
    const tellings = acts.flatMap((act) => tellingsOf(act, endpoints));
    for (const some of inChunks(tellings, BODIES_AT_ONCE)) await this.#write(em, some);
  }

  routed(): void {
    this.deliverer.wake();
  }

  async #write(em: EntityManager, tellings: Telling[]): Promise<void> {
    const now = this.clock.now();
    const bodies = tellings.map(({ act, form }) => ({
      body: bodyOf({ id: act.eventId, type: act.type, at: act.at, data: act.payload }, form),
      created_at: now,
    }));
    const bodyIds = await insertAllotted(em, WebhookEventEntity, bodies);
    const rows = tellings.flatMap(({ act, endpoints }, index) =>
      endpoints.map((endpoint) => this.#deliveryOf(act, endpoint, { bodyId: bodyIds[index] ?? 0, now })),
    );
    for (const some of inChunks(rows)) await insertDeliveries(em, some);
  }

  #deliveryOf(
    { eventId, type }: OutboxAct,
    { id, status }: WebhookEndpointEntity,
    { bodyId, now }: { bodyId: number; now: Date },
  ): NewDelivery {
    const canBeSent = status === 1 && this.secrets.areThere;
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

/** An act in each form in which somebody wants it. */
function tellingsOf(act: OutboxAct, endpoints: WebhookEndpointEntity[]): Telling[] {
  const wanting = endpoints.filter((endpoint) => wants(typesOf(endpoint), act.type));
  const formOf = ({ version, include_content }: WebhookEndpointEntity): EventForm => ({
    version,
    withContent: include_content && hasContent(act.type),
  });
  const byForm = Map.groupBy(wanting, (endpoint) => JSON.stringify(formOf(endpoint)));
  return [...byForm].map(([form, own]) => ({ act, form: JSON.parse(form) as EventForm, endpoints: own }));
}
