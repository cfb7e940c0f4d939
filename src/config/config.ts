import { IANAZone } from 'luxon';
import { type AuthConfig, readAuth } from './auth-config';
import { type DatabaseConfig, readDatabase } from './database-config';
import { EnvReader, MAX_SECONDS } from './env-reader';
import { trustedProxies } from './trusted-proxies';

export type MediaConfig =
  | {
      provider: 'agora';
      appId?: string;
      appCertificate?: string;
      webhookSecret?: string;
      tokenTtlSeconds: number;
    }
  | { provider: 'livekit'; url?: string; apiKey?: string; apiSecret?: string; tokenTtlSeconds: number };

/** Everything the service is told from outside (contract 8). Read once, at the start; never changed. */
export interface Config {
  mode: 'development' | 'test' | 'production';
  host: string;
  port: number;
  logLevel: string;
  database: DatabaseConfig;
  redisUrl?: string;
  auth: AuthConfig;
  media: MediaConfig;
  calls: { ringTimeoutSeconds: number; maxDurationSeconds: number };
  messageRecallSeconds: number;
  eventRetentionHours: number;
  timezone: string;
  /** Of what the service says to people; `auto`: of each answer what its client likes best. */
  language: 'zh-CN' | 'en' | 'auto';
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
    auth: readAuth(read, mode === 'production'),
    media: readMedia(read, mode),
    calls: {
      ringTimeoutSeconds: read.integer('CALL_RING_TIMEOUT_SECONDS', 60, 1, MAX_SECONDS),
      maxDurationSeconds: read.integer('CALL_MAX_DURATION_SECONDS', 14_400, 1, MAX_SECONDS),
    },
    messageRecallSeconds: read.integer('MESSAGE_RECALL_SECONDS', 120, 1, MAX_SECONDS),
    eventRetentionHours: read.integer('EVENT_RETENTION_HOURS', 168, 1, 87_600),
    timezone: readTimezone(read),
    language: read.oneOf('MESSAGE_LANGUAGE', ['zh-CN', 'en', 'auto'], 'zh-CN'),
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

function readMedia(read: EnvReader, mode: Config['mode']): MediaConfig {
  const tokenTtlSeconds = read.integer('RTC_TOKEN_TTL_SECONDS', 3_600, 1, 86_400);
  if (read.oneOf('MEDIA_PROVIDER', ['agora', 'livekit'], 'agora') === 'livekit') {
    const url = read.url('LIVEKIT_URL', ['ws', 'wss', 'http', 'https']);
    const apiKey = read.text('LIVEKIT_API_KEY');
    const apiSecret = read.text('LIVEKIT_API_SECRET');
    requireTogether(read, mode, { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret });
    return { provider: 'livekit', url, apiKey, apiSecret, tokenTtlSeconds };
  }
  const appId = readHex32(read, 'AGORA_APP_ID');
  const appCertificate = readHex32(read, 'AGORA_APP_CERTIFICATE');
  requireTogether(read, mode, { AGORA_APP_ID: appId, AGORA_APP_CERTIFICATE: appCertificate });
  return {
    provider: 'agora',
    appId,
    appCertificate,
    webhookSecret: read.text('AGORA_WEBHOOK_SECRET'),
    tokenTtlSeconds,
  };
}

/** Media credentials come all or none; production cannot do without them (contract 3.5). */
function requireTogether(
  read: EnvReader,
  mode: Config['mode'],
  values: Record<string, string | undefined>,
): void {
  const missing = Object.keys(values).filter((name) => values[name] === undefined);
  const someGiven = missing.length < Object.keys(values).length;
  if (missing.length > 0 && (someGiven || mode === 'production')) {
    read.problem(`${missing.join(' and ')} must be set${mode === 'production' ? ' in production' : ''}`);
  }
}

/** agora-token answers '' to anything but 32 hexadecimal digits, so it is refused here. */
function readHex32(read: EnvReader, name: string): string | undefined {
  const text = read.text(name);
  if (text !== undefined && !/^[0-9a-f]{32}$/i.test(text))
    read.problem(`${name} must be 32 hexadecimal digits`);
  return text;
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
