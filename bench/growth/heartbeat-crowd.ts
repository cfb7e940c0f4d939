import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/*
 * Simulates many devices in a separate process, so that their work does not count as the service's. Incoming message:
 * the order. Outgoing message, at the end: number of heartbeats answered, and number answered with another status than
 * 200.
 */

interface Job {
  url: string;
  tokens: string[];
  /** Each device sends one heartbeat within this time, one device after another. */
  seconds: number;
}

export interface HeartbeatResult {
  answered: number;
  failed: number;
}

/** Sends one heartbeat per token, evenly spread over `seconds`. */
export async function sendHeartbeats(
  url: string,
  tokens: string[],
  seconds: number,
): Promise<HeartbeatResult> {
  const child = fork(__filename, { stdio: 'inherit' });
  child.send({ url, tokens, seconds } satisfies Job);
  const [beaten] = (await once(child, 'message')) as [HeartbeatResult];
  child.kill();
  return beaten;
}

const TICK_MS = 20;
const BODY = '{"version":"2.4.1","battery":87}';

async function sendAll({ url, tokens, seconds }: Job): Promise<HeartbeatResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const beaten: HeartbeatResult = { answered: 0, failed: 0 };
  const started = performance.now();
  const under: Promise<void>[] = [];
  for (let sent = 0; sent < tokens.length; await pause(TICK_MS)) {
    const wanted = Math.min(tokens.length, ((performance.now() - started) / 1_000 / seconds) * tokens.length);
    for (; sent < wanted; sent += 1) under.push(post(url, tokens[sent] ?? '', agent, beaten));
  }
  await Promise.all(under);
  return beaten;
}

function post(url: string, token: string, agent: Agent, beaten: HeartbeatResult): Promise<void> {
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
  process.once('message', (order: Job) => {
    sendAll(order)
      .then((beaten) => process.send?.(beaten))
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      });
  });
}
