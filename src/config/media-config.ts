import type { EnvReader } from './env-reader';
import { readIceUrls, STUN_URL, TURN_URL } from './ice-urls';

/** Configuration of peer-to-peer calls. */
export interface WebrtcConfig {
  provider: 'webrtc';
  stunUrls: string[];
  turnUrls: string[];
  /** Secret from which TURN credentials are derived; always set if there are TURN servers. */
  turnSecret?: string;
  /** `relay`: terminals connect only through TURN, and do not receive each other's addresses. */
  transportPolicy: 'all' | 'relay';
  tokenTtlSeconds: number;
}

export interface AgoraConfig {
  provider: 'agora';
  appId?: string;
  appCertificate?: string;
  webhookSecret?: string;
  /** The credentials are generated placeholders: the provider rejects tokens signed with them. */
  isGenerated?: true;
  tokenTtlSeconds: number;
}

export interface LivekitConfig {
  provider: 'livekit';
  url?: string;
  apiKey?: string;
  apiSecret?: string;
  /** The credentials are generated placeholders: the server rejects tokens signed with them. */
  isGenerated?: true;
  tokenTtlSeconds: number;
}

export type MediaConfig = WebrtcConfig | AgoraConfig | LivekitConfig;

type Mode = 'development' | 'test' | 'production';
type Provider = MediaConfig['provider'];

/**
 * Variables that select a provider if MEDIA_PROVIDER is not set. One of them suffices; the missing ones are then
 * reported.
 */
const CREDENTIALS = {
  agora: ['AGORA_APP_ID', 'AGORA_APP_CERTIFICATE'],
  livekit: ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
} as const;

const TURN_SECRET_BYTES = 16;

/** Reads the variables for the media provider of calls (API 6.1). */
export function readMedia(read: EnvReader, mode: Mode): MediaConfig {
  const tokenTtlSeconds = read.integer('RTC_TOKEN_TTL_SECONDS', 3_600, 1, 86_400);
  const provider = readProvider(read, mode);
  if (provider === 'webrtc') return readWebrtc(read, mode, tokenTtlSeconds);
  return provider === 'livekit'
    ? readLivekit(read, mode, tokenTtlSeconds)
    : readAgora(read, mode, tokenTtlSeconds);
}

/** Returns warnings about a valid but limited media configuration. */
export function mediaWarnings(media: MediaConfig, mode: Mode): string[] {
  const lacksTurn = media.provider === 'webrtc' && media.turnUrls.length === 0 && mode === 'production';
  return lacksTurn
    ? [
        'No TURN_URLS are set: calls between networks that block direct connections will have no audio and no video',
      ]
    : [];
}

/**
 * Returns the configured provider, otherwise the one that has credentials, otherwise the built-in one, which needs
 * none.
 */
function readProvider(read: EnvReader, mode: Mode): Provider {
  const [configured = 'webrtc', another] = (['agora', 'livekit'] as const).filter((name) =>
    CREDENTIALS[name].some((variable) => read.text(variable) !== undefined),
  );
  if (read.text('MEDIA_PROVIDER') === undefined) {
    if (another !== undefined)
      read.problem('MEDIA_PROVIDER must be set: there are credentials of both agora and livekit');
    else if (configured === 'webrtc' && mode === 'production')
      read.problem('production needs MEDIA_PROVIDER, or credentials of Agora or LiveKit');
  }
  return read.oneOf('MEDIA_PROVIDER', ['webrtc', 'agora', 'livekit'], configured);
}

function readWebrtc(read: EnvReader, mode: Mode, tokenTtlSeconds: number): WebrtcConfig {
  const stunUrls = readIceUrls(read, 'STUN_URLS', STUN_URL);
  const turnUrls = readIceUrls(read, 'TURN_URLS', TURN_URL);
  const turnSecret = read.secret('TURN_SECRET', mode === 'production', TURN_SECRET_BYTES);
  if (turnUrls.length > 0 && turnSecret === undefined) read.problem('TURN_SECRET must be set with TURN_URLS');
  const transportPolicy = read.oneOf('ICE_TRANSPORT_POLICY', ['all', 'relay'], 'all');
  if (transportPolicy === 'relay' && turnUrls.length === 0)
    read.problem('TURN_URLS must be set with ICE_TRANSPORT_POLICY=relay');
  return { provider: 'webrtc', stunUrls, turnUrls, turnSecret, transportPolicy, tokenTtlSeconds };
}

function readLivekit(read: EnvReader, mode: Mode, tokenTtlSeconds: number): LivekitConfig {
  const url = read.url('LIVEKIT_URL', ['ws', 'wss', 'http', 'https']);
  const apiKey = read.text('LIVEKIT_API_KEY');
  const apiSecret = read.text('LIVEKIT_API_SECRET');
  requireTogether(read, mode, { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret });
  return { provider: 'livekit', url, apiKey, apiSecret, tokenTtlSeconds };
}

function readAgora(read: EnvReader, mode: Mode, tokenTtlSeconds: number): AgoraConfig {
  const appId = readHex32(read, 'AGORA_APP_ID');
  const appCertificate = readHex32(read, 'AGORA_APP_CERTIFICATE');
  requireTogether(read, mode, { AGORA_APP_ID: appId, AGORA_APP_CERTIFICATE: appCertificate });
  const webhookSecret = read.text('AGORA_WEBHOOK_SECRET');
  return { provider: 'agora', appId, appCertificate, webhookSecret, tokenTtlSeconds };
}

/** Media credentials must be set all or not at all; production requires them (API 6.1). */
function requireTogether(read: EnvReader, mode: Mode, values: Record<string, string | undefined>): void {
  const missing = Object.keys(values).filter((name) => values[name] === undefined);
  const isPartial = missing.length < Object.keys(values).length;
  if (missing.length > 0 && (isPartial || mode === 'production')) {
    read.problem(`${missing.join(' and ')} must be set${mode === 'production' ? ' in production' : ''}`);
  }
}

/** Validates 32 hexadecimal digits, because agora-token returns '' for any other value. */
function readHex32(read: EnvReader, name: string): string | undefined {
  const text = read.text(name);
  if (text !== undefined && !/^[0-9a-f]{32}$/i.test(text))
    read.problem(`${name} must be 32 hexadecimal digits`);
  return text;
}
