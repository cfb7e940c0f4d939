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

/** Environment of webhook tests: the secret, and permission to send to this machine. */
export const WEBHOOKS = {
  WEBHOOK_SECRET: 'the-secret-of-the-webhooks-of-tests',
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
};

/** A request that a receiver has received. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A parsed body. */
export interface ReceivedEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Sends the response of a receiver; it may also send none. */
export type ResponseHandler = (response: ServerResponse, received: Received) => void;

/** Returns a handler that responds with a status. */
export const withStatus =
  (status: number, headers: Record<string, string> = {}, text = ''): ResponseHandler =>
  (response) =>
    void response.writeHead(status, headers).end(text);

/** A webhook receiver on this machine that stores the requests. */
export class Receiver {
  readonly received: Received[] = [];
  respond: ResponseHandler = withStatus(204);
  /** Number of connections made to it. */
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
        receiver.respond(response, received);
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

  /** Ids of the received events, including repetitions. */
  get eventIds(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  /** The parsed bodies of the received requests. */
  get events(): ReceivedEvent[] {
    return this.received.map(({ body }) => JSON.parse(body) as ReceivedEvent);
  }

  /** Closes all connections. */
  hangUp(): void {
    this.server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Verifies a request with the `standardwebhooks` library and a secret, at the time when it was sent. */
export function verified({ headers, body }: Received, secret: string): unknown {
  const now = jest.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1000);
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    now.mockRestore();
  }
}

/** An endpoint in a response. */
export interface Endpoint {
  id: number;
  secret: string;
  [field: string]: unknown;
}

/** Creates an endpoint. By default it subscribes to a type that these tests do not cause. */
export async function subscribe(admin: ApiClient, body: object): Promise<Endpoint> {
  return dataOf(
    await admin.post('/api/admin/webhooks', { event_types: ['call.ended'], ...body }),
  ) as Endpoint;
}

/** Creates an endpoint without a listener, with a delivery. Returns existing ones if there are any. */
export async function createWebhook(admin: ApiClient): Promise<{ webhook: number; delivery: number }> {
  const [known] = dataOf(await admin.get('/api/admin/webhooks')).items as Endpoint[];
  const { id } = known ?? (await subscribe(admin, { url: 'http://127.0.0.1:9/' }));
  const path = `/api/admin/webhooks/${id}`;
  const deliveries = async () => dataOf(await admin.get(`${path}/deliveries`)).items as { id: number }[];
  if ((await deliveries()).length === 0) dataOf(await admin.post(`${path}/test`));
  return { webhook: id, delivery: (await deliveries())[0]?.id ?? 0 };
}

/** A domain event as the outbox dispatches it. */
export interface DispatchedEvent {
  id: string;
  type?: DomainEventType;
  payload?: Record<string, unknown>;
}

/** Dispatches domain events as the outbox does, in a transaction of their own. */
export async function dispatchEvents(
  app: NestFastifyApplication,
  ...events: DispatchedEvent[]
): Promise<void> {
  const routing = app.get(WebhookRouting);
  const at = new Date('2026-01-31T07:59:59.000Z');
  await app.get(Transactions).run((em) =>
    routing.dispatch(
      events.map(({ id, type = 'call.ended', payload = { call: { call_id: 7 } } }) => ({
        eventId: id,
        type,
        subject: 'call:7',
        payload: JSON.stringify(payload),
        traceparent: null,
        at,
      })),
      em,
    ),
  );
}

/** Sends all due deliveries, and resolves when none is in progress. */
export const deliverAll = (app: NestFastifyApplication): Promise<void> =>
  app.get(WebhookDispatcher).deliverAll();
