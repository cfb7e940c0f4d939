import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Webhook } from 'standardwebhooks';
import { Transactions } from '../../src/database/transactions';
import type { DomainEventType } from '../../src/outbox/domain-event-types';
import { WebhookDispatcher } from '../../src/webhooks/services/webhook-dispatcher';
import { WebhookRouting } from '../../src/webhooks/services/webhook-routing';
import type { ApiClient } from './api-client';
import { dataOf } from './messaging';

/** The environment of tests of webhooks: their secret, and receivers on this machine. */
export const WEBHOOKS = {
  WEBHOOK_SECRET: 'the-secret-of-the-webhooks-of-tests',
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
};

/** What somebody posted to a receiver. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A body, read. */
export interface ReceivedEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** How a receiver answers; it may also not. */
export type Answering = (response: ServerResponse, received: Received) => void;

/** A receiver that answers with a status. */
export const withStatus =
  (status: number, headers: Record<string, string> = {}, text = ''): Answering =>
  (response) =>
    void response.writeHead(status, headers).end(text);

/** A back end that listens on this machine, and keeps what it is sent. */
export class Receiver {
  readonly received: Received[] = [];
  answering: Answering = withStatus(204);
  /** How many connections were made to it. */
  connections = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(parts).toString() };
        receiver.received.push(received);
        receiver.answering(response, received);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** The ids of the events that have come, each time. */
  get eventIds(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  /** The bodies that have come, read. */
  get events(): ReceivedEvent[] {
    return this.received.map(({ body }) => JSON.parse(body) as ReceivedEvent);
  }

  /** Ends all connections. */
  hangUp(): void {
    this.server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** What the judge makes of an attempt, by one secret, at the time at which it was made. */
export function verified({ headers, body }: Received, secret: string): unknown {
  const now = jest.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1000);
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    now.mockRestore();
  }
}

/** An endpoint as the interface answers it. */
export interface Endpoint {
  id: number;
  secret: string;
  [field: string]: unknown;
}

/** Makes an endpoint, by default for what no test of these does by itself. */
export async function subscribe(admin: ApiClient, body: object): Promise<Endpoint> {
  return dataOf(
    await admin.post('/api/admin/webhooks', { event_types: ['call.ended'], ...body }),
  ) as Endpoint;
}

/** An endpoint at which nobody listens, and a delivery of its own; those that are there already, if there are. */
export async function aWebhook(admin: ApiClient): Promise<{ webhook: number; delivery: number }> {
  const [known] = dataOf(await admin.get('/api/admin/webhooks')).items as Endpoint[];
  const { id } = known ?? (await subscribe(admin, { url: 'http://127.0.0.1:9/' }));
  const path = `/api/admin/webhooks/${id}`;
  const deliveries = async () => dataOf(await admin.get(`${path}/deliveries`)).items as { id: number }[];
  if ((await deliveries()).length === 0) dataOf(await admin.post(`${path}/test`));
  return { webhook: id, delivery: (await deliveries())[0]?.id ?? 0 };
}

/** Something that has happened, as the outbox tells it. */
export interface Act {
  id: string;
  type?: DomainEventType;
  payload?: Record<string, unknown>;
}

/** Routes acts as the outbox does: in a transaction of their own. */
export async function route(app: NestFastifyApplication, ...acts: Act[]): Promise<void> {
  const routing = app.get(WebhookRouting);
  const at = new Date('2026-01-31T07:59:59.000Z');
  await app.get(Transactions).run((em) =>
    routing.dispatch(
      acts.map(({ id, type = 'call.ended', payload = { call: { call_id: 7 } } }) => ({
        eventId: id,
        type,
        subject: 'call:7',
        payload: JSON.stringify(payload),
        at,
      })),
      em,
    ),
  );
}

/** Delivers what is due, until nothing of it is under way. */
export const deliver = (app: NestFastifyApplication): Promise<void> =>
  app.get(WebhookDispatcher).deliverAll();
