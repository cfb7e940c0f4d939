import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon, { type Client, type Instance } from 'autocannon';
import { planOf } from '../seed/plan';
import { titleOf } from './scenario';
import { SCENARIOS } from './scenarios';

/*
 * Sends the load from a separate process: within the server's process it would measure itself. Incoming messages:
 * `Order`. Outgoing messages: `Outcome`, or {failed}.
 */

export interface LoadOptions {
  /** Title of the scenario, see `titleOf`. */
  title: string;
  url: string;
  scale: number;
  seconds: number;
  connections: number;
}

export interface Outcome {
  /** Responses received during the round. */
  requests: number;
  /** All responses, including those that arrived after the end of the round. */
  answers: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Number of unexpected responses by status, and of broken connections. */
  bad: Record<string, number>;
}

/** Maximum time that a connection waits for its last responses. */
const DRAIN_TIMEOUT_SECONDS = 30;

/** The process that sends the load. */
export class Driver {
  readonly #child: ChildProcess = fork(__filename, ['driver'], { stdio: 'inherit' });

  async run(order: LoadOptions): Promise<Outcome> {
    this.#child.send(order);
    const [response] = (await once(this.#child, 'message')) as [Outcome | { failed: string }];
    if ('failed' in response) throw new Error(response.failed);
    return response;
  }

  stop(): void {
    this.#child.kill();
  }
}

async function load({ title, url, scale, seconds, connections }: LoadOptions): Promise<Outcome> {
  const scenario = SCENARIOS.find((one) => titleOf(one) === title);
  if (scenario === undefined) throw new Error(`No scenario is called ${title}`);
  const plan = planOf(scale);
  const expected = scenario.status ?? 200;
  const times: number[] = [];
  const bad: Record<string, number> = {};
  const count = (what: string): void => {
    bad[what] = (bad[what] ?? 0) + 1;
  };
  const unit = scenario.requestsPerUnit ?? 1;
  const answered = new Map<object, number>();
  let index = 0;
  const start = performance.now();
  const deadline = start + seconds * 1000;
  let end = start;
  await new Promise<void>((resolve, reject) => {
    const instance: Instance = autocannon(
      {
        url,
        connections,
        // Each connection ends after its last response, so that no work remains in the server after the round.
        ...(scenario.amount
          ? { amount: scenario.amount(plan) }
          : { duration: seconds + DRAIN_TIMEOUT_SECONDS }),
        // Interval in milliseconds at which autocannon checks whether all connections have ended.
        sampleInt: 50,
        setupClient: (client: Client) => {
          client.setRequests(scenario.requests(plan, index, connections));
          index += 1;
        },
      },
      (error: unknown) => (error ? reject(error) : resolve()),
    );
    instance.on('response', (client, status, _bytes, milliseconds) => {
      const now = performance.now();
      const responses = (answered.get(client) ?? 0) + 1;
      answered.set(client, responses);
      if (status !== expected) count(String(status));
      if (now <= deadline) {
        times.push(milliseconds);
        end = now;
      } else if (responses % unit === 0) (client as Client & { destroy(): void }).destroy();
    });
    instance.on('reqError', (error: Error) => count(error.message));
  });
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    requests: times.length,
    answers: [...answered.values()].reduce((sum, count) => sum + count, 0),
    seconds: (end - start) / 1000,
    p50: at(0.5),
    p99: at(0.99),
    bad,
  };
}

if (process.argv[2] === 'driver') {
  process.on('message', (order: LoadOptions) => {
    load(order).then(
      (outcome) => process.send?.(outcome),
      (error: unknown) => process.send?.({ failed: String(error) }),
    );
  });
}
