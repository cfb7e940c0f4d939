import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/*
 * Simulates many devices in a separate process, so that their work does not count as the service's. Incoming message:
 * the order. Outgoing message, at the end: number of heartbeats answered, and number answered with another status than
 * 200.
 */

interface Order {
  url: string;
  tokens: string[];
  /** Each device sends one heartbeat within this time, one device after another. */
  seconds: number;
}

export interface Beaten {
  answered: number;
  failed: number;
}

/** Sends one heartbeat per token, evenly spread over `seconds`. */
export async function beatOnce(url: string, tokens: string[], seconds: number): Promise<Beaten> {
  const child = fork(__filename, { stdio: 'inherit' });
  child.send({ url, tokens, seconds } satisfies Order);
  const [beaten] = (await once(child, 'message')) as [Beaten];
  child.kill();
  return beaten;
}

const TURN_MS = 20;
const BODY = '{"version":"2.4.1","battery":87}';

async function beat({ url, tokens, seconds }: Order): Promise<Beaten> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const beaten: Beaten = { answered: 0, failed: 0 };
  const begun = performance.now();
  const under: Promise<void>[] = [];
  for (let sent = 0; sent < tokens.length; await pause(TURN_MS)) {
    const wanted = Math.min(tokens.length, ((performance.now() - begun) / 1_000 / seconds) * tokens.length);
    for (; sent < wanted; sent += 1) under.push(post(url, tokens[sent] ?? '', agent, beaten));
  }
  await Promise.all(under);
  return beaten;
}

function post(url: string, token: string, agent: Agent, beaten: Beaten): Promise<void> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request(`${url}/api/devices/heartbeat`, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => {
        beaten.answered += 1;
        if (response.statusCode !== 200) beaten.failed += 1;
        resolve();
      });
    });
    sent.once('error', () => {
      beaten.failed += 1;
      resolve();
    });
    sent.end(BODY);
  });
}

if (process.send) {
  process.once('message', (order: Order) => {
    beat(order)
      .then((beaten) => process.send?.(beaten))
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      });
  });
}
