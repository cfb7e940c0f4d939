import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Answers a request with a stream (Server-Sent Events) that has begun: from here on nothing may throw, since nobody would
 * answer any more.
 * @returns what is written to, or undefined where a HEAD asked for the headers alone
 */
export function beginStream(request: FastifyRequest, reply: FastifyReply): ServerResponse | undefined {
  // What plugins have set so far, such as the request's id and CORS, goes out with the stream.
  const headers = reply.getHeaders() as Record<string, string>;
  const response = reply.raw;
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    // A stream ends by closing the connection. A client that was promised a longer one sends its next request there, and fails.
    Connection: 'close',
  });
  reply.hijack();
  if (request.method !== 'HEAD') return response;
  response.end();
  return undefined;
}
