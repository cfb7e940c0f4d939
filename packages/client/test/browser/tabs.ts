import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { MAX_WAIT_MS } from '../../../../test/support/waiting.js';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Callboard</title><video id="remote" autoplay playsinline></video>
<script type="module">
  import * as core from '/client/index.js';
  import * as calls from '/client/calls/index.js';
  Object.assign(window, { core, calls, isReady: true });
</script>`;

/**
 * Serves pages that load the package, and proxies the service on the same origin, as a reverse proxy does in production.
 */
export class Site {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
    /** Proxied requests, such as `GET /api/events`. */
    private readonly requests: string[],
  ) {}

  static async start(service: string, dist: string): Promise<Site> {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      const path = normalize(request.url?.split('?')[0] ?? '/');
      if (path.startsWith('/client/')) {
        const file = join(dist, path.slice('/client'.length));
        response.setHeader('Content-Type', 'text/javascript').end(readFileSync(file));
      } else if (path.startsWith('/api/')) {
        requests.push(`${request.method} ${path}`);
        void pass(service, request, response);
      } else response.setHeader('Content-Type', 'text/html').end(PAGE);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Site(server, `http://localhost:${(server.address() as AddressInfo).port}`, requests);
  }

  /** Number of requests with this name. */
  count = (name: string): number => this.requests.filter((one) => one === name).length;

  /** Opens a tab and waits until it is ready. `at`: another name of this machine, for an origin without https. */
  async open(context: BrowserContext, at = this.origin): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(MAX_WAIT_MS);
    await page.goto(at);
    await page.waitForFunction('window.isReady');
    return page;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

type Exchange = Parameters<Parameters<typeof createServer>[1] & object>;

async function pass(service: string, request: Exchange[0], response: Exchange[1]): Promise<void> {
  const ending = new AbortController();
  response.on('close', () => ending.abort());
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = '', 'last-event-id': cursor } = request.headers;
    const key = request.headers['idempotency-key'];
    const answer = await fetch(service + request.url, {
      method: request.method,
      headers: {
        ...(authorization && { authorization }),
        ...(type && { 'content-type': type }),
        ...(typeof cursor === 'string' && { 'last-event-id': cursor }),
        ...(typeof key === 'string' && { 'idempotency-key': key }),
      },
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
      signal: ending.signal,
    });
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-(encoding|length)|connection)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.flushHeaders();
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  } catch {
    response.destroy();
  }
}
