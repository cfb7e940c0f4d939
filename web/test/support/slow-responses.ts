import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as ask,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the service, which can delay one response. */
export class SlowResponses {
  #heldPath: string | undefined;
  #release: () => void = () => undefined;
  #isHeld: () => void = () => undefined;
  readonly #url: URL;

  private constructor(
    private readonly server: Server,
    serviceUrl: string,
  ) {
    this.#url = new URL(serviceUrl);
  }

  static async open(serviceUrl: string): Promise<SlowResponses> {
    const server = createServer();
    const proxy = new SlowResponses(server, serviceUrl);
    server.on('request', (request, response) => proxy.#forward(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Delays the next response for a path until `release` is called. Resolves when the service has responded. */
  holdNext(path: string): Promise<void> {
    this.#heldPath = path;
    return new Promise((resolve) => (this.#isHeld = resolve));
  }

  release(): void {
    this.#release();
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { hostname, port } = this.#url;
    const { method, url: path, headers } = request;
    const forwarded = ask({ hostname, port, method, path, headers }, (answer) => {
      const pass = (): void => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      };
      if (path !== this.#heldPath) return pass();
      this.#heldPath = undefined;
      this.#release = pass;
      return this.#isHeld();
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
