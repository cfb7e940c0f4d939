import type { AttachmentsConfig } from '../../config/attachments-config';
import type { Config } from '../../config/config';
import type { DatabaseConfig } from '../../config/database-config';
import { APNS_SANDBOX_URL, APNS_URL, FCM_URL } from '../../config/push-config';
import type { RedisConfig } from '../../config/redis-config';
import type { AgoraConfig, LivekitConfig, WebrtcConfig } from '../../config/media-config';

/** Value of a variable in the notation of the environment; null if it is not set. */
type Shown = string | null;

type Value = string | number | boolean | readonly string[] | undefined;

/** Formats a value; lists are joined with commas, and an empty list is not set. */
const text = (value: Value): Shown =>
  (typeof value === 'object' ? value.join(',') : String(value ?? '')) || null;

const onOff = (value: boolean): Shown => (value ? 'on' : 'off');

/** Shows only whether a secret is set. */
const secret = (value: unknown): Shown => (value === undefined ? null : 'set');

/** Formats a URL without the parts that may be secret: user, password, query and fragment. */
function address(value: string | undefined): Shown {
  const url = value === undefined ? null : URL.parse(value);
  return url && `${url.protocol}//${url.host}${url.pathname}`;
}

function databaseAddress(database: DatabaseConfig): string {
  if (database.type === 'better-sqlite3') return `sqlite:${database.file}`;
  const host = database.host.includes(':') ? `[${database.host}]` : database.host;
  return `${database.type}://${host}:${database.port}/${encodeURIComponent(database.database)}`;
}

function databaseSsl(database: DatabaseConfig): 'off' | 'required' | 'verify' {
  if (database.type === 'better-sqlite3' || database.ssl === undefined) return 'off';
  return database.ssl.verify ? 'verify' : 'required';
}

const authorities = (database: DatabaseConfig): string | undefined =>
  database.type === 'better-sqlite3' ? undefined : database.ssl?.ca;

function redisAddress(redis: RedisConfig | undefined): Shown {
  if (redis === undefined || redis.kind === 'server') return address(redis?.url);
  const hosts = redis.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const path = redis.kind === 'sentinel' ? `/${redis.master}/${redis.db}` : '';
  return `${redis.tls ? 'rediss' : 'redis'}-${redis.kind}://${hosts.join(',')}${path}`;
}

function storageAddress({ storage }: AttachmentsConfig): string {
  if (storage === undefined) return 'off';
  return storage.kind === 'file' ? `file:${storage.folder}` : `s3://${storage.bucket}/${storage.prefix}`;
}

/* The configuration of each media provider; empty if another one is in use. */
const ofWebrtc = ({ media }: Config): Partial<WebrtcConfig> => (media.provider === 'webrtc' ? media : {});
const ofAgora = ({ media }: Config): Partial<AgoraConfig> => (media.provider === 'agora' ? media : {});
const ofLivekit = ({ media }: Config): Partial<LivekitConfig> => (media.provider === 'livekit' ? media : {});

/**
 * The variables that administrators may see, by name in the environment (API 15.4). It is an allowlist: other
 * variables are not shown. Secrets, and values that may contain one, are shown only as `set`.
 */
const SHOWN: Readonly<Record<string, (config: Config) => Shown>> = {
  NODE_ENV: ({ mode }) => mode,
  HOST: ({ host }) => host,
  PORT: ({ port }) => text(port),
  LOG_LEVEL: ({ logLevel }) => logLevel,
  WEB_CONCURRENCY: ({ workers }) => text(workers),
  DATABASE_URL: ({ database }) => databaseAddress(database),
  DATABASE_SSL: ({ database }) => databaseSsl(database),
  DATABASE_SSL_CA: ({ database }) => secret(authorities(database)),
  DATABASE_PIPELINING: ({ database }) => onOff(database.type === 'better-sqlite3' || database.pipelining),
  REDIS_URL: ({ redis }) => redisAddress(redis),
  JWT_SECRET: ({ auth }) => secret(auth.secret),
  JWT_SECRET_PREVIOUS: ({ auth }) => secret(auth.previousSecret),
  JWT_JWKS_URL: ({ auth }) => address(auth.jwksUrl),
  JWT_PUBLIC_KEY: ({ auth }) => secret(auth.publicKey),
  JWT_ISSUER: ({ auth }) => text(auth.issuer),
  JWT_AUDIENCE: ({ auth }) => text(auth.audience),
  JWT_SUBJECT: ({ auth }) => auth.provider.subject,
  JWT_ROLE_CLAIM: ({ auth }) => auth.provider.roleClaim,
  JWT_ADMIN_VALUES: ({ auth }) => text(auth.provider.adminValues),
  PROFILE_SOURCE: ({ auth }) => auth.provider.profileSource,
  ACCESS_TOKEN_TTL_SECONDS: ({ auth }) => text(auth.accessTokenTtlSeconds),
  REFRESH_TOKEN_TTL_SECONDS: ({ auth }) => text(auth.refreshTokenTtlSeconds),
  MEDIA_PROVIDER: ({ media }) => media.provider,
  STUN_URLS: (config) => text(ofWebrtc(config).stunUrls),
  TURN_URLS: (config) => text(ofWebrtc(config).turnUrls),
  TURN_SECRET: (config) => secret(ofWebrtc(config).turnSecret),
  ICE_TRANSPORT_POLICY: (config) => text(ofWebrtc(config).transportPolicy),
  AGORA_APP_ID: (config) => text(ofAgora(config).appId),
  AGORA_APP_CERTIFICATE: (config) => secret(ofAgora(config).appCertificate),
  AGORA_WEBHOOK_SECRET: (config) => secret(ofAgora(config).webhookSecret),
  LIVEKIT_URL: (config) => address(ofLivekit(config).url),
  LIVEKIT_API_KEY: (config) => secret(ofLivekit(config).apiKey),
  LIVEKIT_API_SECRET: (config) => secret(ofLivekit(config).apiSecret),
  RTC_TOKEN_TTL_SECONDS: ({ media }) => text(media.tokenTtlSeconds),
  WEBHOOK_SECRET: ({ backEnds }) => secret(backEnds.webhookSecret),
  WEBHOOK_SECRET_PREVIOUS: ({ backEnds }) => secret(backEnds.previousWebhookSecret),
  WEBHOOK_RETENTION_DAYS: ({ backEnds }) => text(backEnds.webhookRetentionDays),
  OUTBOUND_ALLOWED_NETWORKS: ({ backEnds }) => text(backEnds.outboundAllowedNetworks),
  CALL_RING_TIMEOUT_SECONDS: ({ calls }) => text(calls.ringTimeoutSeconds),
  CALL_MAX_DURATION_SECONDS: ({ calls }) => text(calls.maxDurationSeconds),
  MESSAGE_RECALL_SECONDS: ({ messageRecallSeconds }) => text(messageRecallSeconds),
  MESSAGE_EDIT_SECONDS: ({ messageEditSeconds }) => text(messageEditSeconds),
  CHAT_NOTICES: ({ chatNotices }) => text(chatNotices),
  USER_DIRECTORY: ({ people }) => people.directory,
  PROFILE_EDITING: ({ people }) => onOff(people.profileEditing),
  PRESENCE: ({ people }) => onOff(people.presence),
  ATTACHMENT_STORAGE: ({ attachments }) => storageAddress(attachments),
  ATTACHMENT_DRAFTS: ({ attachments }) => attachments.draftFolder,
  ATTACHMENT_MAX_BYTES: ({ attachments }) => text(attachments.maxBytes),
  ATTACHMENT_QUOTA_BYTES: ({ attachments }) => text(attachments.quotaBytes),
  ATTACHMENT_URL_SECONDS: ({ attachments }) => text(attachments.urlSeconds),
  ATTACHMENT_SCAN_URL: ({ attachments }) => address(attachments.scanUrl),
  PUBLIC_URL: ({ attachments }) => attachments.publicUrl,
  FILES_SECRET: ({ attachments }) => secret(attachments.filesSecret),
  APNS_KEY_ID: ({ push }) => text(push.apns?.keyId),
  APNS_TEAM_ID: ({ push }) => text(push.apns?.teamId),
  APNS_KEY: ({ push }) => secret(push.apns?.privateKey),
  APNS_TOPICS: ({ push }) => text(push.apns?.topics),
  APNS_URL: ({ push }) => (push.apns === undefined ? APNS_URL : address(push.apns.url)),
  APNS_SANDBOX_URL: ({ push }) =>
    push.apns === undefined ? APNS_SANDBOX_URL : address(push.apns.sandboxUrl),
  FCM_SERVICE_ACCOUNT: ({ push }) => secret(push.fcm?.privateKey),
  FCM_URL: ({ push }) => (push.fcm === undefined ? FCM_URL : address(push.fcm.url)),
  VAPID_PRIVATE_KEY: ({ push }) => secret(push.vapid?.privateKey),
  VAPID_SUBJECT: ({ push }) => text(push.vapid?.subject),
  PUSH_GATEWAY_URL: ({ push }) => address(push.gateway?.url),
  PUSH_GATEWAY_SECRET: ({ push }) => secret(push.gateway?.secret),
  PUSH_CONTENT: ({ push }) => push.content,
  PUSH_ACTIVE_DELAY_SECONDS: ({ push }) => text(push.activeDelaySeconds),
  PUSH_MESSAGE_TTL_SECONDS: ({ push }) => text(push.messageTtlSeconds),
  EVENT_RETENTION_HOURS: ({ eventRetentionHours }) => text(eventRetentionHours),
  AUDIT_RETENTION_DAYS: ({ auditRetentionDays }) => text(auditRetentionDays),
  DEVICE_OFFLINE_SECONDS: ({ devices }) => text(devices.offlineSeconds),
  WEB: ({ web }) => onOff(web),
  APP_TIMEZONE: ({ timezone }) => timezone,
  MESSAGE_LANGUAGE: ({ language }) => language,
  HTTP_STATUS_MODE: ({ httpStatusMode }) => httpStatusMode,
  CORS_ORIGINS: ({ corsOrigins }) => text(corsOrigins),
  TRUST_PROXY: ({ trustProxy }) => text(trustProxy),
  RATE_LIMIT_PER_MINUTE: ({ rateLimitPerMinute }) => text(rateLimitPerMinute),
  API_KEY_RATE_PER_MINUTE: ({ apiKeyRatePerMinute }) => text(apiKeyRatePerMinute),
  REQUEST_TIMEOUT_SECONDS: ({ requestTimeoutSeconds }) => text(requestTimeoutSeconds),
  MAX_REQUESTS_IN_FLIGHT: ({ maxRequestsInFlight }) => text(maxRequestsInFlight),
  MAX_EVENT_LOOP_DELAY_MS: ({ maxEventLoopDelayMs }) => text(maxEventLoopDelayMs),
  METRICS_TOKEN: ({ metrics }) => secret(metrics.token),
  METRICS_MAX_AGE_MS: ({ metrics }) => text(metrics.maxAgeMs),
  DEMO_DATA: ({ demoData }) => onOff(demoData),
};

/** Returns the effective configuration by name of the environment variable. */
export const shownConfig = (config: Config): Record<string, Shown> =>
  Object.fromEntries(Object.entries(SHOWN).map(([name, show]) => [name, show(config)]));
