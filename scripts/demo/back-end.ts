import { createHmac, timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoClient } from './client';

const HEARS_WITHIN_MS = 15_000;

/** The integration of the demo: receives webhooks, verifies their signatures, and prints them. */
export class BackEnd {
  readonly #server = createServer((request, response) => {
    this.#take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  readonly #heard = new EventEmitter();
  readonly #types = new Set<string>();
  #secret = '';

  private constructor(private readonly print: (text: string) => void) {}

  static async open(print: (text: string) => void): Promise<BackEnd> {
    const backEnd = new BackEnd(print);
    backEnd.#server.listen(0, '127.0.0.1');
    await once(backEnd.#server, 'listening');
    return backEnd;
  }

  /** Creates an endpoint, as an administrator, for the given event types. */
  async subscribe(admin: DemoClient, types: string[]): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    const endpoint = {
      url: `http://127.0.0.1:${port}/callboard`,
      event_types: types,
      description: 'billing',
    };
    const { id, secret } = await admin.post<{ id: number; secret: string }>('/api/admin/webhooks', endpoint);
    this.#secret = secret;
    await admin.post(`/api/admin/webhooks/${id}/test`);
  }

  /** Waits for an event of a type. Returns false after the time-out. */
  async hears(type: string): Promise<boolean> {
    if (this.#types.has(type)) return true;
    const late = AbortSignal.timeout(HEARS_WITHIN_MS);
    return once(this.#heard, type, { signal: late }).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Handles a webhook and returns the response status. */
  async #take(request: IncomingMessage): Promise<number> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = Buffer.concat(parts).toString();
    if (!isGenuine(request.headers as Record<string, string>, body, this.#secret)) return 401;
    const { type, data } = JSON.parse(body) as { type: string; data: object };
    this.print(`  ⚡ The integration receives ${type}  ${JSON.stringify(data)}`);
    this.#types.add(type);
    this.#heard.emit(type);
    return 204;
  }
}

/** Whether one of the signatures (Standard Webhooks) was made with the secret. */
function isGenuine(headers: Record<string, string>, body: string, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
