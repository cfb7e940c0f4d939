import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';

/*
 * Simulates an attacker at one address, in a separate process: large and deep bodies, bodies that are rejected, slow
 * bodies, idle connections, endless streams and odd headers, all of them concurrently and without pause. Its rate is
 * bounded: it tests what the service allows a single address to do, not the capacity of the network.
 */

/** A loopback address that no other client of the run uses. */
const ADDRESS = '127.0.0.2';
/** The attack is spread over the second: a burst followed by a pause would measure the burst. */
const TICK_MS = 100;
const TICKS_PER_SECOND = 10;
/** Requests per second. */
const LARGE_BODIES = 5;
const REFUSED_BODIES = 20;
const INVALID_HEADERS = 20;
/** Number of concurrent connections. */
const SLOW_BODIES = 400;
const IDLE = 500;
const STREAMS = 200;
const MEBIBYTE = 1024 * 1024;

export const ATTACKS = ['large', 'refused', 'slow', 'idle', 'streams', 'headers'] as const;
export type Attack = (typeof ATTACKS)[number];

interface AttackOptions {
  url: string;
  /** Token of the user whose streams are opened. */
  token: string;
  attacks: Attack[];
}

/** Number of responses by status; 0 counts requests without a response. */
export type StatusCounts = Record<number, number>;

/** Starts the attack, which runs until `stop` is called. */
export async function startAttacker(order: AttackOptions): Promise<{ stop(): Promise<StatusCounts> }> {
  const child: ChildProcess = fork(__filename, { stdio: 'inherit' });
  // A real attacker takes no processor time of the service's machine.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send(order);
  await once(child, 'message');
  return {
    stop: async () => {
      child.send('stop');
      const [responses] = (await once(child, 'message')) as [StatusCounts];
      child.kill();
      return responses;
    },
  };
}

/** Bodies that must be cheap to reject: many keys, deep nesting, many small objects. */
const LARGE = [
  () => `{"account":{${Array.from({ length: 110_000 }, (_, key) => `"${key}":1`).join()}},"password":"x"}`,
  () => `{"account":"a","password":"x","z":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  () => `{"account":[${'{},'.repeat(340_000)}{}],"password":"x"}`,
];

class Attacker {
  readonly answers: StatusCounts = {};
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 20, localAddress: ADDRESS });
  readonly #held = { slow: new Set<Socket>(), idle: new Set<Socket>(), streams: new Set<Socket>() };
  readonly #host: string;
  readonly #port: number;
  #tick = 0;

  constructor(private readonly order: AttackOptions) {
    const { hostname, port } = new URL(order.url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Sends the requests of one tick. */
  tick(): void {
    this.#tick += 1;
    for (const attack of this.order.attacks) this.#do[attack]();
  }

  readonly #do: Record<Attack, () => void> = {
    large: () => {
      for (let index = 0; index < this.#dueInTick(LARGE_BODIES); index += 1)
        this.#send('/api/auth/login', {}, LARGE[this.#tick % LARGE.length]?.());
    },
    refused: () => {
      const body = ' '.repeat(MEBIBYTE);
      for (let index = 0; index < this.#dueInTick(REFUSED_BODIES); index += 1)
        this.#send('/api/calls', {}, body);
    },
    headers: () => {
      const { token } = this.order;
      const odd = [`Bearer ${token} junk`, `Bearer  ${token}`, 'Bearer', token];
      for (let index = 0; index < this.#dueInTick(INVALID_HEADERS); index += 1)
        this.#send('/api/events', { authorization: odd[(this.#tick + index) % odd.length] ?? '' }, undefined);
    },
    slow: () => {
      const head = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      this.#keepOpen('slow', SLOW_BODIES, `${head}Content-Length: 900000\r\n\r\n{`);
      if (this.#tick % TICKS_PER_SECOND === 0) for (const socket of this.#held.slow) socket.write(' ');
    },
    idle: () => this.#keepOpen('idle', IDLE, ''),
    streams: () => {
      const head = `GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${this.order.token}\r\n\r\n`;
      this.#keepOpen('streams', STREAMS, head);
    },
  };

  /** The number of requests that are due in this tick, of `perSecond`. */
  #dueInTick(perSecond: number): number {
    const due = (tick: number): number => Math.floor((tick * perSecond) / TICKS_PER_SECOND);
    return due(this.#tick) - due(this.#tick - 1);
  }

  /** Opens connections until `count` are open, at most `count` in a second, and writes `bytes` to each. */
  #keepOpen(kind: 'slow' | 'idle' | 'streams', count: number, bytes: string): void {
    const held = this.#held[kind];
    const goal = Math.min(count, held.size + this.#dueInTick(count));
    while (held.size < goal) {
      const socket = connect({ host: this.#host, port: this.#port, localAddress: ADDRESS });
      held.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        const [, status] = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1')) ?? [];
        if (status !== undefined) this.#count(Number(status));
      });
      socket.on('close', () => held.delete(socket));
      socket.write(bytes);
    }
  }

  #send(path: string, headers: Record<string, string>, body: string | undefined): void {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(`${this.order.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      agent: this.#agent,
      timeout: 30_000,
      headers: { ...type, ...headers },
    });
    sent.on('response', (response) => {
      this.#count(response.statusCode ?? 0);
      response.resume();
      // A stream that is opened despite the limit does not end by itself.
      if (response.statusCode === 200) setTimeout(() => sent.destroy(), TICK_MS * TICKS_PER_SECOND);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => this.#count(0));
    sent.end(body);
  }

  #count(status: number): void {
    this.answers[status] = (this.answers[status] ?? 0) + 1;
  }
}

if (require.main === module) {
  process.once('message', (order: AttackOptions) => {
    const attacker = new Attacker(order);
    attacker.tick();
    setInterval(() => attacker.tick(), TICK_MS);
    process.once('message', () => process.send?.(attacker.answers));
    process.send?.('begun');
  });
  process.once('disconnect', () => process.exit());
}
