import { IANAZone } from 'luxon';
import { type AttachmentsConfig, readAttachments } from './attachments-config';
import { tryTo } from './try-to';
import { type AuthConfig, readAuth } from './auth-config';
import { type BackEndsConfig, readBackEnds } from './back-ends-config';
import { type DatabaseConfig, readDatabase } from './database-config';
import { EnvReader, MAX_SECONDS } from './env-reader';
import { type MediaConfig, readMedia } from './media-config';
import { type MetricsConfig, readMetrics } from './metrics-config';
import { type PeopleConfig, readPeople } from './people-config';
import { type PushConfig, readPush } from './push-config';
import { type RedisConfig, readRedis } from './redis-config';
import { trustedProxies } from './trusted-proxies';
import { readWorkers } from './workers-config';

const CHAT_NOTICES = ['members', 'calls'] as const;
export type ChatNotices = (typeof CHAT_NOTICES)[number];

/** Configuration of the service (API 16.2). Read once at the start and never changed. */
export interface Config {
  mode: 'development' | 'test' | 'production';
  host: string;
  port: number;
  logLevel: string;
  database: DatabaseConfig;
  /** Number of worker processes; 1: the process serves the requests itself. */
  workers: number;
  redis?: RedisConfig;
  auth: AuthConfig;
  backEnds: BackEndsConfig;
  media: MediaConfig;
  /** `offlineSeconds`: time without a heartbeat after which a device is offline. */
  devices: { offlineSeconds: number };
  calls: { ringTimeoutSeconds: number; maxDurationSeconds: number };
  messageRecallSeconds: number;
  people: PeopleConfig;
  attachments: AttachmentsConfig;
  push: PushConfig;
  /** Time for which a message can be edited; 0: messages cannot be edited. */
  messageEditSeconds: number;
  /** Kinds of notices that the service adds to conversations. */
  chatNotices: readonly ChatNotices[];
  eventRetentionHours: number;
  /** 0: audit rows are never deleted. */
  auditRetentionDays: number;
  timezone: string;
  /** Language of messages for users; `auto`: for each response the language that its client prefers. */
  language: 'zh-CN' | 'en' | 'auto';
  httpStatusMode: 'mapped' | 'always_200';
  corsOrigins: string[];
  /** Whether the web client and the admin panel are served. */
  web: boolean;
  trustProxy: boolean | string;
  rateLimitPerMinute: number;
  /** Default rate of new API keys. */
  apiKeyRatePerMinute: number;
  requestTimeoutSeconds: number;
  maxRequestsInFlight: number;
  /** 0: no limit. */
  maxEventLoopDelayMs: number;
  metrics: MetricsConfig;
  demoData: boolean;
}

/** Injection token of the frozen `Config`. */
export const CONFIG = Symbol('Config');

/**
 * Reads environment variables into a frozen `Config` and applies defaults.
 * @throws {ConfigError} with all missing and invalid variables.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const read = new EnvReader(env);
  const mode = read.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development');
  const hasDemoData = readDemoData(read, mode);
  const database = readDatabase(read);
  const port = read.integer('PORT', 3000, 0, 65_535);
  const eventRetentionHours = read.integer('EVENT_RETENTION_HOURS', 168, 1, 87_600);
  const config: Config = {
    mode,
    host: read.text('HOST') ?? '0.0.0.0',
    port,
    logLevel: read.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    database,
    workers: readWorkers(read, database),
    redis: readRedis(read),
    auth: readAuth(read, mode === 'production'),
    backEnds: readBackEnds(read, mode === 'production'),
    media: readMedia(read, mode),
    calls: {
      ringTimeoutSeconds: read.integer('CALL_RING_TIMEOUT_SECONDS', 60, 1, MAX_SECONDS),
      maxDurationSeconds: read.integer('CALL_MAX_DURATION_SECONDS', 14_400, 1, MAX_SECONDS),
    },
    devices: { offlineSeconds: read.integer('DEVICE_OFFLINE_SECONDS', 90, 3, MAX_SECONDS) },
    messageRecallSeconds: read.integer('MESSAGE_RECALL_SECONDS', 120, 1, MAX_SECONDS),
    messageEditSeconds: read.integer('MESSAGE_EDIT_SECONDS', 900, 0, MAX_SECONDS),
    chatNotices: read.several('CHAT_NOTICES', CHAT_NOTICES, hasDemoData ? CHAT_NOTICES : []),
    eventRetentionHours,
    auditRetentionDays: read.integer('AUDIT_RETENTION_DAYS', 365, 0, 36_500),
    timezone: readTimezone(read),
    language: read.oneOf('MESSAGE_LANGUAGE', ['zh-CN', 'en', 'auto'], 'zh-CN'),
    httpStatusMode: read.oneOf('HTTP_STATUS_MODE', ['mapped', 'always_200'], 'mapped'),
    corsOrigins: read.validList('CORS_ORIGINS', isOrigin, '* or origins such as https://app.example'),
    web: read.oneOf('WEB', ['on', 'off'], 'on') === 'on',
    trustProxy: readTrustProxy(read),
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 600, 0, 1_000_000),
    apiKeyRatePerMinute: read.integer('API_KEY_RATE_PER_MINUTE', 3_000, 1, 100_000),
    requestTimeoutSeconds: read.integer('REQUEST_TIMEOUT_SECONDS', 10, 2, 600),
    maxRequestsInFlight: read.integer('MAX_REQUESTS_IN_FLIGHT', 500, 1, 1_000_000),
    maxEventLoopDelayMs: read.integer('MAX_EVENT_LOOP_DELAY_MS', 1_000, 0, 60_000),
    metrics: readMetrics(read, mode === 'production'),
    people: readPeople(read, { hasDemoData }),
    attachments: readAttachments(read, {
      isProduction: mode === 'production',
      port,
      urlSeconds: eventRetentionHours * 3_600,
    }),
    push: readPush(read, mode === 'production'),
    demoData: hasDemoData,
  };
  read.finish();
  return deepFreeze(config);
}

function readTimezone(read: EnvReader): string {
  const zone = read.text('APP_TIMEZONE') ?? 'Asia/Shanghai';
  if (!IANAZone.isValidZone(zone)) read.problem(`APP_TIMEZONE must be an IANA time zone, but is "${zone}"`);
  return zone;
}

const isOrigin = (text: string): boolean =>
  text === '*' || (URL.canParse(text) && new URL(text).origin === text);

function readTrustProxy(read: EnvReader): boolean | string {
  const text = read.text('TRUST_PROXY');
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  if (tryTo(() => trustedProxies(text)) === undefined)
    read.problem(`TRUST_PROXY must be true, false or addresses such as 10.0.0.0/8, but is "${text}"`);
  return text;
}

function readDemoData(read: EnvReader, mode: Config['mode']): boolean {
  const wanted = read.oneOf('DEMO_DATA', ['on', 'off'], mode === 'development' ? 'on' : 'off') === 'on';
  if (wanted && mode === 'production') read.problem('DEMO_DATA must be off in production');
  return wanted;
}

/** Freezes an object and all objects in it. */
export function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === 'object') deepFreeze(part);
  return Object.freeze(value);
}
