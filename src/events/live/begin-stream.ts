import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Starts the response of an event stream (Server-Sent Events) by sending its headers. The caller must not throw
 * afterwards, because an error response can no longer be sent.
 * @returns the response to write to; undefined for a HEAD request, which receives only the headers
 */
export function beginStream(request: FastifyRequest, reply: FastifyReply): ServerResponse | undefined {
  // Includes the headers that plugins have set, such as the request's id and CORS.
  const headers = reply.getHeaders() as Record<string, string>;
  const response = reply.raw;
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    // A stream ends by closing the connection. With keep-alive a client would send its next request on it, and fail.
    Connection: 'close',
  });
  reply.hijack();
  if (request.method !== 'HEAD') return response;
  response.end();
  return undefined;
}
