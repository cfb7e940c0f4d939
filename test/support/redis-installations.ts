import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Redis from 'ioredis';
import { freePort } from './throwaway-mariadb.js';
import { ThrowawayRedis } from './throwaway-redis';
import { eventually } from './waiting';

const MASTERS = 3;
const SLOTS = 16_384;
/** Time without a reply after which Sentinels and nodes regard a server as failed. */
const FAILED_AFTER_MS = 1_000;

/** Runs commands on a server; there may be no reply while it starts. */
export async function onServer<T>(port: number, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: null, commandTimeout: 10_000 });
  client.on('error', () => undefined);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** A master sends its data immediately, instead of waiting 5 s for further replicas. */
const NO_DELAY = ['--repl-diskless-sync-delay', '0'];

/** Returns the settings of a replica, which stores the data of its master as a file in `folder`. */
const replicaOf = (master: ThrowawayRedis, folder: string): string[] => [
  ...NO_DELAY,
  '--dir',
  folder,
  '--replicaof',
  '127.0.0.1',
  `${master.port}`,
];

/** A master, a replica and a Sentinel that makes the replica the master when the master fails. */
export class ThrowawaySentinel {
  private constructor(
    private readonly folder: string,
    private readonly servers: ThrowawayRedis[],
    private readonly sentinel: ThrowawayRedis,
  ) {}

  static async start(): Promise<ThrowawaySentinel> {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-sentinel-'));
    const first = await ThrowawayRedis.start(undefined, [...NO_DELAY, '--dir', folder]);
    const second = await ThrowawayRedis.start(undefined, replicaOf(first, folder));
    const file = join(folder, 'sentinel.conf');
    writeFileSync(
      file,
      [
        `dir ${folder}`,
        `sentinel monitor callboard 127.0.0.1 ${first.port} 1`,
        `sentinel down-after-milliseconds callboard ${FAILED_AFTER_MS}`,
        // Also the time before the next failover, doubled.
        'sentinel failover-timeout callboard 2000',
      ].join('\n'),
    );
    const sentinel = await ThrowawayRedis.start(undefined, [], [file, '--sentinel']);
    const installation = new ThrowawaySentinel(folder, [first, second], sentinel);
    await installation.untilReplicated();
    return installation;
  }

  get url(): string {
    return `redis-sentinel://127.0.0.1:${this.sentinel.port}/callboard`;
  }

  /** Returns the server that the Sentinel names as the master. */
  async master(): Promise<ThrowawayRedis> {
    const address = await onServer(this.sentinel.port, (client) =>
      client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'callboard'),
    );
    const port = Number((address as string[])[1]);
    return this.servers.find((server) => server.port === port) as ThrowawayRedis;
  }

  /** Waits until the Sentinel knows one replica that is connected to the master. */
  async untilReplicated(): Promise<void> {
    await eventually(
      () =>
        onServer(
          this.sentinel.port,
          (client) => client.call('SENTINEL', 'REPLICAS', 'callboard') as Promise<string[][]>,
        ),
      ([replica = []]) =>
        replica[replica.indexOf('flags') + 1] === 'slave' &&
        replica[replica.indexOf('master-link-status') + 1] === 'ok',
    );
  }

  /** Starts a server that was stopped, as a replica. */
  async restart(stopped: ThrowawayRedis): Promise<void> {
    const restarted = await ThrowawayRedis.start(stopped.port, replicaOf(await this.master(), this.folder));
    this.servers[this.servers.indexOf(stopped)] = restarted;
  }

  async stop(): Promise<void> {
    await Promise.all([this.sentinel, ...this.servers].map((server) => server.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A cluster of three masters without replicas. */
export class ThrowawayCluster {
  private constructor(
    private readonly folder: string,
    private readonly settings: readonly string[][],
    readonly masters: ThrowawayRedis[],
  ) {}

  /** @param more further settings of each node */
  static async start(more: readonly string[] = []): Promise<ThrowawayCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-cluster-'));
    const busPorts = await Promise.all(Array.from({ length: MASTERS }, freePort));
    const settings = busPorts.map((busPort, index) => [
      '--dir',
      folder,
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      `${busPort}`,
      '--cluster-config-file',
      `node-${index}.conf`,
      '--cluster-node-timeout',
      `${FAILED_AFTER_MS}`,
      ...more,
    ]);
    const masters = await Promise.all(settings.map((own) => ThrowawayRedis.start(undefined, own)));
    const cluster = new ThrowawayCluster(folder, settings, masters);
    const [first] = masters as [ThrowawayRedis];
    for (const [index, { port }] of masters.entries()) {
      const from = Math.floor((index * SLOTS) / MASTERS);
      const to = Math.floor(((index + 1) * SLOTS) / MASTERS) - 1;
      await onServer(port, async (client) => {
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
        await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
        await client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, busPorts[0] as number);
      });
    }
    await cluster.untilComplete();
    return cluster;
  }

  get url(): string {
    return `redis-cluster://${this.masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** Returns the sum of a number of each master. */
  async sum(work: (client: Redis) => Promise<number>): Promise<number> {
    const numbers = await Promise.all(this.masters.map(({ port }) => onServer(port, work)));
    return numbers.reduce((all, number) => all + number, 0);
  }

  /** Waits until every node knows that all slots are served. */
  async untilComplete(): Promise<void> {
    for (const { port } of this.masters) {
      await eventually(
        () => onServer(port, (client) => client.cluster('INFO')),
        (info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${MASTERS}`),
      );
    }
  }

  /** Starts the node at this index again after it was stopped. */
  async restart(index: number): Promise<void> {
    this.masters[index] = await ThrowawayRedis.start(this.masters[index]?.port, this.settings[index]);
    await this.untilComplete();
  }

  async stop(): Promise<void> {
    await Promise.all(this.masters.map((server) => server.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
