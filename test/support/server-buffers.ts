import type { Server, ServerResponse } from 'node:http';
import type { TestApp } from './test-app';

/** Returns a function that returns the number of bytes which the sockets of later responses buffer. */
export function countBufferedBytes({ app }: TestApp): () => number {
  const responses: ServerResponse[] = [];
  const server = app.getHttpServer() as Server;
  server.on('request', (_request, response: ServerResponse) => responses.push(response));
  return () => {
    if (responses.length === 0) throw new Error('No response was recorded');
    return responses.reduce((sum, { writableLength }) => sum + writableLength, 0);
  };
}
