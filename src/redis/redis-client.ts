import Redis, { Cluster, type RedisOptions } from 'ioredis';
import { TIMINGS } from '../common/timings';
import type { ClusterConfig, RedisConfig, SentinelConfig } from '../config/redis-config';

/** Delay of a connection after a client has given up. */
export const RECONNECT_AFTER_MS = 1_000;
/**
 * A connection without a response for as long as this number of commands may take is closed: further commands would
 * only be queued on it.
 */
const SOCKET_TIMEOUT_COMMANDS = 3;
/** Attempts of one command at a cluster that moves slots or fails over; they are 100 ms apart. */
const MAX_CLUSTER_ATTEMPTS = 5;

const timeouts = () =>
  ({
    connectTimeout: TIMINGS.redisWithinMs,
    commandTimeout: TIMINGS.redisWithinMs,
    socketTimeout: TIMINGS.redisWithinMs * SOCKET_TIMEOUT_COMMANDS,
  }) satisfies RedisOptions;

const optionsOfOneServer = () =>
  ({
    ...timeouts(),
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
  }) satisfies RedisOptions;

export type RedisClient = Redis | Cluster;

/** Returns a client that does not connect yet and queues no commands while Redis is unreachable. */
export function createRedisClient(config: RedisConfig): RedisClient {
  if (config.kind === 'server') return new Redis(config.url, optionsOfOneServer());
  return config.kind === 'sentinel' ? createSentinelClient(config) : createClusterClient(config);
}

/**
 * Connects a client, also again after it has given up: ioredis does that when a failover is announced while it asks a
 * Sentinel for the master. Returns a function that disconnects it permanently.
 */
export function keepConnected(client: RedisClient): () => void {
  let reconnecting: NodeJS.Timeout | undefined;
  let isClosed = false;
  // A failure emits `error`.
  const connect = (): void => void client.connect().catch(() => undefined);
  client.on('end', () => {
    if (!isClosed) reconnecting = setTimeout(connect, RECONNECT_AFTER_MS);
  });
  connect();
  return () => {
    isClosed = true;
    clearTimeout(reconnecting);
    client.disconnect();
  };
}

function createSentinelClient(config: SentinelConfig): Redis {
  const { hosts, master, username, password, db, tls, sentinelUsername, sentinelPassword } = config;
  return new Redis({
    ...optionsOfOneServer(),
    // The client changes these lists; the configuration is frozen.
    sentinels: hosts.map((host) => ({ ...host })),
    name: master,
    username,
    password,
    db,
    sentinelUsername,
    sentinelPassword,
    sentinelCommandTimeout: TIMINGS.redisWithinMs,
    // Without it a client of a master that hangs, and that the Sentinels have replaced, would stay connected.
    failoverDetector: true,
    ...(tls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
  });
}

function createClusterClient({ hosts, username, password, tls }: ClusterConfig): Cluster {
  return new Cluster(
    hosts.map((host) => ({ ...host })),
    {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRedirections: MAX_CLUSTER_ATTEMPTS,
      slotsRefreshTimeout: TIMINGS.redisWithinMs,
      redisOptions: { ...timeouts(), username, password, ...(tls && { tls: {} }) },
      // With TLS names stay names, because certificates contain names.
      ...(tls && { dnsLookup: (name, found) => found(null, name) }),
    },
  );
}
