import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SeededService } from './seeded-service';

/** The requests of the control server, by method and path. Each returns the new state. */
type Action = (service: SeededService, body: unknown) => Promise<void> | void;

const ACTIONS: Readonly<Record<string, Action>> = {
  'GET /': () => undefined,
  'POST /reset': (service) => service.reset(),
  'POST /clock': (service, body) => {
    const { advance_seconds: seconds } = (body ?? {}) as { advance_seconds?: unknown };
    if (typeof seconds !== 'number' || !(seconds >= 0)) throw new InvalidRequest();
    service.advanceClock(seconds);
  },
};

class InvalidRequest extends Error {
  override message = 'advance_seconds must be a number from 0';
}

/**
 * Starts the server that controls a seeded service. It has no authentication, and its responses contain the tokens of
 * all users, so it must not be reachable from elsewhere.
 */
export async function startControlServer(
  service: SeededService,
  { port, host }: { port: number; host: string },
): Promise<Server> {
  // One after another: two resets must not overlap.
  let last: Promise<void> = Promise.resolve();
  const server = createServer((request, response) => {
    last = last.then(() => answer(service, request, response));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  return server;
}

async function answer(
  service: SeededService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body } = await run(service, request);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(`${JSON.stringify(body)}\n`);
}

async function run(
  service: SeededService,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  const action = ACTIONS[`${request.method} ${request.url}`];
  if (action === undefined)
    return { status: 404, body: { error: `One of: ${Object.keys(ACTIONS).join(', ')}` } };
  try {
    const body = await text(request);
    await action(service, body === '' ? undefined : JSON.parse(body));
    return { status: 200, body: service.state };
  } catch (error) {
    const isInvalid = error instanceof InvalidRequest || error instanceof SyntaxError;
    return { status: isInvalid ? 400 : 500, body: { error: (error as Error).message } };
  }
}
