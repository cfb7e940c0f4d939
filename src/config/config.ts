import { IANAZone } from 'luxon';
import { type DatabaseConfig, readDatabase } from './database-config';
import { EnvReader } from './env-reader';
import { type MediaConfig, readMedia } from './media-config';
import { isVerificationKey } from './public-key';
import { trustedProxies } from './trusted-proxies';

/** Everything the service is told from outside (contract 8). Read once, at the start; never changed. */
export interface Config {
  mode: 'development' | 'test' | 'production';
  host: string;
  port: number;
  logLevel: string;
  database: DatabaseConfig;
  redisUrl?: string;
  auth: {
    /** HS256 secret; absent in development until `local-secrets.ts` fills it in. */
    secret?: string;
    /** The secret before: its tokens are still good, none are signed with it. */
    previousSecret?: string;
    jwksUrl?: string;
    publicKey?: string;
    issuer?: string;
    audience?: string;
    accessTokenTtlSeconds: number;
    refreshTokenTtlSeconds: number;
  };
  media: MediaConfig;
  calls: { ringTimeoutSeconds: number; maxDurationSeconds: number };
  messageRecallSeconds: number;
  eventRetentionHours: number;
  timezone: string;
  httpStatusMode: 'mapped' | 'always_200';
  corsOrigins: string[];
  trustProxy: boolean | string;
  rateLimitPerMinute: number;
  requestTimeoutSeconds: number;
  maxRequestsInFlight: number;
  /** 0: whatever the delay. */
  maxEventLoopDelayMs: number;
  demoData: boolean;
}

/** Injection token of the one frozen `Config`. */
export const CONFIG = Symbol('Config');

const MAX_SECONDS = 2_147_483;
const SECRET_BYTES = 32;

/**
 * Turns environment variables into a frozen `Config`, defaults filled in.
 * @throws {ConfigError} listing every missing or wrong variable at once.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const read = new EnvReader(env);
  const mode = read.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development');
  const config: Config = {
    mode,
    host: read.text('HOST') ?? '0.0.0.0',
    port: read.integer('PORT', 3000, 0, 65_535),
    logLevel: read.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    database: readDatabase(read),
    redisUrl: read.url('REDIS_URL', ['redis', 'rediss']),
    auth: readAuth(read, mode),
    media: readMedia(read, mode),
    calls: {
      ringTimeoutSeconds: read.integer('CALL_RING_TIMEOUT_SECONDS', 60, 1, MAX_SECONDS),
      maxDurationSeconds: read.integer('CALL_MAX_DURATION_SECONDS', 14_400, 1, MAX_SECONDS),
    },
    messageRecallSeconds: read.integer('MESSAGE_RECALL_SECONDS', 120, 1, MAX_SECONDS),
    eventRetentionHours: read.integer('EVENT_RETENTION_HOURS', 168, 1, 87_600),
    timezone: readTimezone(read),
    httpStatusMode: read.oneOf('HTTP_STATUS_MODE', ['mapped', 'always_200'], 'mapped'),
    corsOrigins: readCorsOrigins(read),
    trustProxy: readTrustProxy(read),
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 600, 0, 1_000_000),
    requestTimeoutSeconds: read.integer('REQUEST_TIMEOUT_SECONDS', 10, 2, 600),
    maxRequestsInFlight: read.integer('MAX_REQUESTS_IN_FLIGHT', 500, 1, 1_000_000),
    maxEventLoopDelayMs: read.integer('MAX_EVENT_LOOP_DELAY_MS', 1_000, 0, 60_000),
    demoData: readDemoData(read, mode),
  };
  read.finish();
  return deepFreeze(config);
}

function readAuth(read: EnvReader, mode: Config['mode']): Config['auth'] {
  const auth = {
    secret: read.text('JWT_SECRET'),
    previousSecret: read.text('JWT_SECRET_PREVIOUS'),
    jwksUrl: readJwksUrl(read),
    publicKey: read.text('JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n'),
    issuer: read.text('JWT_ISSUER'),
    audience: read.text('JWT_AUDIENCE'),
    accessTokenTtlSeconds: read.integer('ACCESS_TOKEN_TTL_SECONDS', 7_200, 1, MAX_SECONDS),
    refreshTokenTtlSeconds: read.integer('REFRESH_TOKEN_TTL_SECONDS', 2_592_000, 1, 315_360_000),
  };
  for (const [name, secret] of [
    ['JWT_SECRET', auth.secret],
    ['JWT_SECRET_PREVIOUS', auth.previousSecret],
  ] as const) {
    if (secret !== undefined && mode === 'production' && Buffer.byteLength(secret) < SECRET_BYTES) {
      read.problem(`${name} must have at least ${SECRET_BYTES} bytes in production`);
    }
  }
  if (auth.publicKey !== undefined && !isVerificationKey(auth.publicKey)) {
    read.problem(
      'JWT_PUBLIC_KEY must be a PEM public key, RSA of 2048 bits or more, P-256 or Ed25519 (line breaks may be \\n)',
    );
  }
  if (mode === 'production' && !auth.secret && !auth.jwksUrl && !auth.publicKey) {
    read.problem('production needs JWT_SECRET (32 bytes or more), JWT_JWKS_URL or JWT_PUBLIC_KEY');
  }
  return auth;
}

/** fetch takes no credentials in an address, and would put them into its complaint. */
function readJwksUrl(read: EnvReader): string | undefined {
  const url = read.url('JWT_JWKS_URL', ['http', 'https']);
  if (url !== undefined && URL.canParse(url) && new URL(url).username + new URL(url).password !== '') {
    read.problem('JWT_JWKS_URL must have no user and no password in it');
  }
  return url;
}

function readTimezone(read: EnvReader): string {
  const zone = read.text('APP_TIMEZONE') ?? 'Asia/Shanghai';
  if (!IANAZone.isValidZone(zone)) read.problem(`APP_TIMEZONE must be an IANA time zone, but is "${zone}"`);
  return zone;
}

const isOrigin = (text: string): boolean =>
  text === '*' || (URL.canParse(text) && new URL(text).origin === text);

function readCorsOrigins(read: EnvReader): string[] {
  const origins = read.list('CORS_ORIGINS');
  const wrong = origins.filter((origin) => !isOrigin(origin));
  if (wrong.length > 0) {
    read.problem(
      `CORS_ORIGINS must be * or origins such as https://app.example, but has ${wrong.join(', ')}`,
    );
  }
  return origins;
}

function readTrustProxy(read: EnvReader): boolean | string {
  const text = read.text('TRUST_PROXY');
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  try {
    trustedProxies(text);
  } catch {
    read.problem(`TRUST_PROXY must be true, false or addresses such as 10.0.0.0/8, but is "${text}"`);
  }
  return text;
}

function readDemoData(read: EnvReader, mode: Config['mode']): boolean {
  const wanted = read.oneOf('DEMO_DATA', ['on', 'off'], mode === 'development' ? 'on' : 'off') === 'on';
  if (wanted && mode === 'production') read.problem('DEMO_DATA must be off in production');
  return wanted;
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === 'object') deepFreeze(part);
  return Object.freeze(value);
}
