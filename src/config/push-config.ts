import { createECDH, createPrivateKey } from 'node:crypto';
import { tryTo } from './try-to';
import type { EnvReader } from './env-reader';

export const PUSH_CONTENTS = ['full', 'names', 'ids'] as const;
/** How much of a text a push contains: all of it, only names and titles, or only ids. */
export type PushContent = (typeof PUSH_CONTENTS)[number];

/** Credentials of Apple's push service. */
export interface ApnsConfig {
  keyId: string;
  teamId: string;
  /** PEM of the P-256 key that signs provider tokens. */
  privateKey: string;
  /** Bundle ids of the apps; the first is the default. */
  topics: string[];
  url: string;
  sandboxUrl: string;
}

/** Addresses of the providers, unless others are configured. */
export const APNS_URL = 'https://api.push.apple.com';
export const APNS_SANDBOX_URL = 'https://api.sandbox.push.apple.com';
export const FCM_URL = 'https://fcm.googleapis.com';

/** Credentials of a Google service account that may send messages by FCM. */
export interface FcmConfig {
  projectId: string;
  clientEmail: string;
  /** PEM of the RSA key that signs the requests for access tokens. */
  privateKey: string;
  tokenUrl: string;
  url: string;
}

/** Key pair of Web Push (VAPID). */
export interface VapidConfig {
  /** Uncompressed P-256 point in base64url, as browsers expect it. */
  publicKey: string;
  /** 32 bytes in base64url. */
  privateKey: string;
  /** Contact of the operator: a `mailto:` or https URL. */
  subject: string;
}

/** A gateway of the operator that forwards pushes to other providers. */
export interface PushGatewayConfig {
  url: string;
  /** Secret that signs the requests. */
  secret: string;
}

/** Configuration of push (API 18). A provider that is undefined is not used. */
export interface PushConfig {
  apns?: ApnsConfig;
  fcm?: FcmConfig;
  vapid?: VapidConfig;
  gateway?: PushGatewayConfig;
  content: PushContent;
  /** Delay of pushes to users with an open event stream. */
  activeDelaySeconds: number;
  /** Time after which an undelivered push is dropped. */
  messageTtlSeconds: number;
}

const MAX_DELAY_SECONDS = 600;
/** The maximum that FCM and APNs keep a message. */
const MAX_TTL_SECONDS = 28 * 86_400;

/** Reads the variables of push. `isProduction` requires a minimum length of secrets. */
export function readPush(read: EnvReader, isProduction: boolean): PushConfig {
  return {
    apns: readApns(read),
    fcm: readFcm(read),
    vapid: readVapid(read),
    gateway: readGateway(read, isProduction),
    content: read.oneOf('PUSH_CONTENT', PUSH_CONTENTS, 'names'),
    activeDelaySeconds: read.integer('PUSH_ACTIVE_DELAY_SECONDS', 10, 0, MAX_DELAY_SECONDS),
    messageTtlSeconds: read.integer('PUSH_MESSAGE_TTL_SECONDS', 259_200, 1, MAX_TTL_SECONDS),
  };
}

/** Whether a provider is configured. */
export const isPushConfigured = ({ apns, fcm, vapid, gateway }: PushConfig): boolean =>
  [apns, fcm, vapid, gateway].some((provider) => provider !== undefined);

function readApns(read: EnvReader): ApnsConfig | undefined {
  const keyId = read.text('APNS_KEY_ID');
  const teamId = read.text('APNS_TEAM_ID');
  const privateKey = read.text('APNS_KEY')?.replaceAll('\\n', '\n');
  const topics = read.list('APNS_TOPICS');
  const url = read.url('APNS_URL', ['http', 'https']) ?? APNS_URL;
  const sandboxUrl = read.url('APNS_SANDBOX_URL', ['http', 'https']) ?? APNS_SANDBOX_URL;
  if (keyId === undefined && teamId === undefined && privateKey === undefined && topics.length === 0)
    return undefined;
  if (keyId === undefined || teamId === undefined || privateKey === undefined || topics.length === 0) {
    read.problem('APNS_KEY_ID, APNS_TEAM_ID, APNS_KEY and APNS_TOPICS must be set together');
    return undefined;
  }
  if (keyTypeOf(privateKey) !== 'prime256v1')
    read.problem('APNS_KEY must be the PEM of a P-256 key (line breaks may be \\n)');
  return { keyId, teamId, privateKey, topics, url: withoutSlash(url), sandboxUrl: withoutSlash(sandboxUrl) };
}

function readFcm(read: EnvReader): FcmConfig | undefined {
  const account = read.text('FCM_SERVICE_ACCOUNT');
  const url = withoutSlash(read.url('FCM_URL', ['http', 'https']) ?? FCM_URL);
  if (account === undefined) return undefined;
  const {
    project_id: projectId,
    client_email: clientEmail,
    private_key: privateKey,
    token_uri: tokenUrl,
  } = tryTo(() => JSON.parse(account) as Record<string, unknown> | null) ?? {};
  const isValid =
    typeof projectId === 'string' &&
    typeof clientEmail === 'string' &&
    typeof privateKey === 'string' &&
    typeof tokenUrl === 'string' &&
    URL.canParse(tokenUrl) &&
    keyTypeOf(privateKey) === 'rsa';
  if (isValid) return { projectId, clientEmail, privateKey, tokenUrl, url };
  read.problem('FCM_SERVICE_ACCOUNT must be the JSON key of a Google service account');
  return undefined;
}

function readVapid(read: EnvReader): VapidConfig | undefined {
  const privateKey = read.text('VAPID_PRIVATE_KEY');
  const subject = read.text('VAPID_SUBJECT');
  if (privateKey === undefined && subject === undefined) return undefined;
  if (privateKey === undefined || subject === undefined || !/^(mailto:|https:\/\/)./.test(subject)) {
    read.problem('VAPID_PRIVATE_KEY and VAPID_SUBJECT (a mailto: or https: URL) must be set together');
    return undefined;
  }
  const publicKey = vapidPublicKey(privateKey);
  if (publicKey !== undefined) return { publicKey, privateKey, subject };
  read.problem('VAPID_PRIVATE_KEY must be a P-256 private key: 32 bytes in base64url');
  return undefined;
}

function readGateway(read: EnvReader, isProduction: boolean): PushGatewayConfig | undefined {
  const url = read.url('PUSH_GATEWAY_URL', ['http', 'https']);
  const secret = read.secret('PUSH_GATEWAY_SECRET', isProduction);
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined || secret === undefined) {
    read.problem('PUSH_GATEWAY_URL and PUSH_GATEWAY_SECRET must be set together');
    return undefined;
  }
  return { url, secret };
}

/** Returns the curve of an elliptic key, else the type of the key; undefined if the text is no private key. */
function keyTypeOf(pem: string): string | undefined {
  const key = tryTo(() => createPrivateKey(pem));
  return key?.asymmetricKeyDetails?.namedCurve ?? key?.asymmetricKeyType;
}

/** Derives the public key of a VAPID key in base64url; undefined if the private key is invalid. */
export function vapidPublicKey(privateKey: string): string | undefined {
  const bytes = Buffer.from(privateKey, 'base64url');
  if (bytes.length !== 32) return undefined;
  const pair = createECDH('prime256v1');
  return tryTo(() => {
    pair.setPrivateKey(bytes);
    return pair.getPublicKey('base64url');
  });
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
