import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { MAX_WAIT_MS } from '../support/waiting';
import type { Request } from './request';

/** The response to a request. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

/** Sends requests over a few persistent connections. */
export class Exchange {
  readonly #agent: Agent;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends a request. Of an event stream it returns only the first frame. */
  async send({ method, target, headers, body }: Request): Promise<ReceivedResponse> {
    const start = performance.now();
    const { hostname, port } = new URL(this.url);
    const responded = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest(
      {
        agent: this.#agent,
        hostname,
        port,
        method,
        path: target,
        headers,
        signal: AbortSignal.timeout(MAX_WAIT_MS),
      },
      responded.resolve,
    );
    request.on('error', responded.reject);
    if (body !== undefined) request.setHeader('Content-Length', body.length);
    request.end(body);
    const response = await responded.promise;
    const bytes = await readAll(response);
    const decode = DECODERS[response.headers['content-encoding'] ?? ''];
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: (decode && bytes.length > 0 ? decode(bytes) : bytes).toString(),
      ms: performance.now() - start,
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    // Leaving the loop closes the connection, and with it the stream.
    if (response.headers['content-type']?.startsWith('text/event-stream')) break;
  }
  return Buffer.concat(chunks);
}
