import type { EnvReader } from './env-reader';

const SCHEMES = ['redis', 'rediss', 'redis-sentinel', 'rediss-sentinel', 'redis-cluster', 'rediss-cluster'];

/** `rediss-<kind>://[user:password@]host:port,…[/path][?options]`, which `URL` does not parse: it takes one host. */
const SEVERAL_HOSTS =
  /^rediss?-(?:sentinel|cluster):\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6_379 };
const SENTINEL_OPTIONS = new Set(['sentinel_username', 'sentinel_password']);

export interface RedisHost {
  host: string;
  port: number;
}

interface RedisCredentials {
  username?: string;
  password?: string;
}

/** A master and its replicas, whose address the Sentinels know. */
export interface SentinelConfig extends RedisCredentials {
  kind: 'sentinel';
  hosts: RedisHost[];
  tls: boolean;
  /** Name of the master at the Sentinels. */
  master: string;
  db: number;
  sentinelUsername?: string;
  sentinelPassword?: string;
}

/** A Redis Cluster; `hosts` are the nodes that are asked for the others. */
export interface ClusterConfig extends RedisCredentials {
  kind: 'cluster';
  hosts: RedisHost[];
  tls: boolean;
}

/** Where Redis is (`REDIS_URL`). */
export type RedisConfig = { kind: 'server'; url: string } | SentinelConfig | ClusterConfig;

/** Reads `REDIS_URL`. No problem contains the URL, which may have a password. */
export function readRedis(read: EnvReader): RedisConfig | undefined {
  const text = read.text('REDIS_URL');
  if (text === undefined) return undefined;
  const scheme = /^([a-z-]+):\/\//.exec(text)?.[1] ?? '';
  const [base = '', kind] = scheme.split('-');
  if (kind !== 'sentinel' && kind !== 'cluster') {
    const url = read.url('REDIS_URL', SCHEMES);
    return url === undefined ? undefined : { kind: 'server', url };
  }
  try {
    return parseSeveral(text, kind, base === 'rediss');
  } catch (error) {
    read.problem(`REDIS_URL ${error instanceof RedisUrlError ? error.message : 'must be a URL'}`);
    return undefined;
  }
}

class RedisUrlError extends Error {}

function parseSeveral(text: string, kind: 'sentinel' | 'cluster', tls: boolean): RedisConfig {
  const { user = '', hosts = '', path = '', query = '' } = SEVERAL_HOSTS.exec(text)?.groups ?? {};
  const parts = {
    hosts: hosts.split(',').map((host) => parseHost(host, DEFAULT_PORTS[kind])),
    tls,
    ...credentials(user),
  };
  const options = new URLSearchParams(query);
  if (kind === 'sentinel') return { kind, ...parts, ...sentinelParts(path, options) };
  if (path !== '' || query !== '') throw new RedisUrlError('of a cluster must end after its hosts');
  return { kind, ...parts };
}

function sentinelParts(
  path: string,
  options: URLSearchParams,
): Pick<SentinelConfig, 'master' | 'db' | 'sentinelUsername' | 'sentinelPassword'> {
  const [master = '', db = '0', ...rest] = path.split('/');
  if (master === '' || rest.length > 0 || !/^\d{1,5}$/.test(db)) {
    throw new RedisUrlError(
      'must name the master, and may name a database: redis-sentinel://host1:26379,host2:26379/mymaster/0',
    );
  }
  const unknown = [...options.keys()].filter((name) => !SENTINEL_OPTIONS.has(name));
  if (unknown.length > 0)
    throw new RedisUrlError(`may have the options ${[...SENTINEL_OPTIONS].join(', ')} only`);
  return {
    master: decodeURIComponent(master),
    db: Number(db),
    sentinelUsername: options.get('sentinel_username') || undefined,
    sentinelPassword: options.get('sentinel_password') || undefined,
  };
}

function credentials(user: string): RedisCredentials {
  const [username = '', ...password] = user.split(':');
  return {
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password.join(':')) || undefined,
  };
}

function parseHost(text: string, defaultPort: number): RedisHost {
  const url = URL.parse(`redis://${text.trim()}`);
  if (url === null || url.hostname === '' || url.port === '0')
    throw new RedisUrlError('must list hosts such as host1:26379,host2:26379');
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || defaultPort };
}
