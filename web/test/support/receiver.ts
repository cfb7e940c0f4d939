import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A local webhook receiver, which records requests and sends a configurable response. */
export class Receiver {
  readonly received: { headers: IncomingHttpHeaders; body: string }[] = [];
  /** The response to each request. */
  respond = { status: 204, text: '' };

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => void receiver.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(this.respond.status).end(this.respond.text);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
