import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { ApiResponse } from '../support/api-client';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { eventually, ServiceProcess } from '../support/service-process';
import { ThrowawayRedis } from '../support/throwaway-redis';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { signToken } from '../support/tokens';

const [SENDER, READER, ADMIN] = [101, 102, 103];

/** A log line of the service. */
interface Line {
  reqId?: string;
  worker?: number;
  pid?: number;
  msg?: string;
}

interface Reply {
  status: number;
  body: ApiResponse['body'];
}

/** A client with one connection, which the primary has given to one worker. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly service: ServiceProcess) {}

  async send(userId: number, method: string, path: string, body?: object): Promise<Reply> {
    return this.#request({ method, path, id: randomUUID(), token: await tokenOf(userId), body });
  }

  /** Returns the number of the worker that serves this connection, from its log line of a request. */
  async worker(): Promise<number> {
    const id = randomUUID();
    await this.#request({ method: 'GET', path: '/health/live', id });
    const line = await eventually(
      async () => linesOf(this.service).find(({ reqId }) => reqId === id),
      (found) => found !== undefined,
    );
    return line?.worker ?? 0;
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(of: { method: string; path: string; id: string; token?: string; body?: object }): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const headers = {
      'x-request-id': of.id,
      ...(of.token && { authorization: `Bearer ${of.token}` }),
      ...(of.body && { 'content-type': 'application/json' }),
    };
    const sent = request(`${this.service.url}${of.path}`, { method: of.method, agent: this.#agent, headers });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parse(text) }));
    });
    sent.end(of.body && JSON.stringify(of.body));
    return promise;
  }
}

const tokenOf = (userId: number): Promise<string> =>
  signToken({ sub: String(userId), role: userId === ADMIN ? 'admin' : 'user' });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const linesOf = ({ lines }: ServiceProcess): Line[] =>
  lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

/** Returns a connection to each of the two workers. */
async function connectToBoth(service: ServiceProcess): Promise<Connection[]> {
  const byWorker = new Map<number, Connection>();
  await eventually(
    async () => {
      const connection = new Connection(service);
      const worker = await connection.worker();
      if (byWorker.has(worker)) connection.close();
      else byWorker.set(worker, connection);
      return byWorker.size;
    },
    (count) => count === 2,
  );
  return [...byWorker].toSorted(([a], [b]) => a - b).map(([, connection]) => connection);
}

const pidOf = (service: ServiceProcess, worker: number): number =>
  linesOf(service).findLast((line) => line.worker === worker)?.pid ?? 0;

describe('WEB_CONCURRENCY=2', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let connections: Connection[] = [];
  const start = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
    const variables = { WEB_CONCURRENCY: '2', LOG_LEVEL: 'debug', ...env };
    // Starts by the command line, whose arguments the workers must not inherit.
    service = await ServiceProcess.start(database.url, variables, [], ['bin/callboard.js', 'serve']);
    connections = await connectToBoth(service);
  };
  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterEach(async () => {
    for (const connection of connections) connection.close();
    await service.kill();
  });
  afterAll(() => database.drop());

  it.each([['without Redis'], ['with Redis']])(
    'sends an event of one worker once to the streams of the other, %s and without a poll',
    async (title) => {
      const redis = title === 'with Redis' ? await ThrowawayRedis.start() : undefined;
      await start({
        ...timingEnvironment({ eventTickMs: NEVER_MS }),
        ...(redis && { REDIS_URL: redis.url }),
      });
      const [first] = connections;
      await first?.send(READER, 'GET', '/api/auth/me');
      const created = await first?.send(SENDER, 'POST', '/api/messages/conversations', {
        type: 'single',
        peer_id: READER,
      });
      const path = `/api/messages/conversations/${created?.body.data.id}`;
      const stream = await EventReader.open(service.url, { userId: READER });
      // The stream is on one of the two workers: one of the two messages is written by the other one.
      for (const [index, connection] of connections.entries()) {
        const reply = await connection.send(SENDER, 'POST', `${path}/messages`, {
          type: 'text',
          content: `${index}`,
        });
        expect(reply.body.code).toBe(0);
        await stream.until(() => stream.frames.some(({ data }) => data?.message?.content === `${index}`));
      }
      for (const connection of connections) {
        const seen = stream.frames.length;
        expect((await connection.send(SENDER, 'POST', `${path}/typing`, { typing: true })).body.code).toBe(0);
        await stream.until(() => stream.types.slice(seen).includes('conversation.typing'));
      }
      expect(stream.types.filter((type) => type === 'conversation.typing')).toHaveLength(2);
      stream.close();
      await redis?.stop();
    },
  );

  it('counts requests, metrics and health of both workers together', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: '6', MAX_REQUESTS_IN_FLIGHT: '100' });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1)
      for (const connection of connections)
        statuses.push((await connection.send(SENDER, 'GET', '/api/auth/me')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);

    const stream = await EventReader.open(service.url, { userId: READER });
    const metrics = await Promise.all(
      connections.map(
        async (connection) => (await connection.send(READER, 'GET', '/metrics')).body as string,
      ),
    );
    for (const text of metrics) {
      expect(text).toMatch(/^callboard_event_streams 1$/m);
      expect(text).toMatch(/^callboard_calls_unfinished 0$/m);
      expect(text).toMatch(
        /^callboard_http_request_seconds_count\{method="GET",route="\/api\/auth\/me",status="200"\} 6$/m,
      );
    }
    const health = await connections[1]?.send(ADMIN, 'GET', '/api/admin/health');
    const jobs = new Map<string, string>(
      health?.body.data.items.map(({ name, status }: { name: string; status: string }) => [name, status]),
    );
    expect([jobs.get('call_deadlines'), jobs.get('typing')]).toEqual(['up', 'up']);
    stream.close();
  });

  it('replaces a killed worker while the other one serves, and keeps its counters', async () => {
    await start();
    const [first, second] = connections;
    const countRequests = async (connection?: Connection): Promise<number> => {
      const { body } = (await connection?.send(READER, 'GET', '/metrics')) ?? {};
      const count =
        /^callboard_http_request_seconds_count\{method="GET",route="\/api\/auth\/me",status="200"\} (\d+)$/m;
      return Number(count.exec(String(body))?.[1]);
    };
    for (let count = 0; count < 3; count += 1) await first?.send(SENDER, 'GET', '/api/auth/me');
    expect(await countRequests(second)).toBe(3);
    const killed = pidOf(service, 1);
    process.kill(killed, 'SIGKILL');
    expect((await second?.send(SENDER, 'GET', '/api/auth/me'))?.status).toBe(200);
    first?.close();
    // Until the primary has noticed the end, it may give a connection to the killed worker.
    await eventually(
      async () => linesOf(service),
      (lines) => lines.some(({ msg }) => msg === 'A worker ended unexpectedly, starting another one'),
    );
    connections = await connectToBoth(service);
    expect(pidOf(service, 1)).not.toBe(killed);
    const statuses = await Promise.all(
      connections.map(async (connection) => (await connection.send(SENDER, 'GET', '/api/auth/me')).status),
    );
    expect(statuses).toEqual([200, 200]);
    expect(await countRequests(connections[0])).toBe(6);
  });

  it('stops both workers on SIGTERM and exits with 0', async () => {
    await start();
    const pids = [1, 2].map((worker) => pidOf(service, worker));
    const stream = await EventReader.open(service.url, { userId: READER });
    expect(await service.stop()).toBe(0);
    await stream.ended;
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('exits with 1 and the error of the first worker when it cannot start', async () => {
    await start();
    connections.forEach((connection) => connection.close());
    const port = new URL(service.url).port;
    const other = await ServiceProcess.begin(database.url, {
      WEB_CONCURRENCY: '2',
      PORT: port,
      LOG_LEVEL: 'info',
    });
    expect(await other.exit()).toBe(1);
    expect(other.lines.filter((line) => line.startsWith('bind EADDRINUSE'))).toHaveLength(1);
    expect(linesOf(other).map(({ msg }) => msg)).toContain('A worker failed to start, stopping');
  });
});
