import type { EnvReader } from './env-reader';
import { readIceUrls, STUN_URL, TURN_URL } from './ice-urls';

/** Of calls whose terminals talk to each other. */
export interface WebrtcConfig {
  provider: 'webrtc';
  stunUrls: string[];
  turnUrls: string[];
  /** What TURN credentials are made with; there when there are TURN servers. */
  turnSecret?: string;
  /** `relay`: terminals talk through TURN alone, and never learn each other's addresses. */
  transportPolicy: 'all' | 'relay';
  tokenTtlSeconds: number;
}

export interface AgoraConfig {
  provider: 'agora';
  appId?: string;
  appCertificate?: string;
  webhookSecret?: string;
  /** The credentials are nobody's: the provider takes no token that is made with them. */
  isMadeUp?: true;
  tokenTtlSeconds: number;
}

export interface LivekitConfig {
  provider: 'livekit';
  url?: string;
  apiKey?: string;
  apiSecret?: string;
  /** As above. */
  isMadeUp?: true;
  tokenTtlSeconds: number;
}

export type MediaConfig = WebrtcConfig | AgoraConfig | LivekitConfig;

type Mode = 'development' | 'test' | 'production';
type Provider = MediaConfig['provider'];

/** What each provider is known by when none is named: any of these, so that one that lacks the others is told of it. */
const CREDENTIALS = {
  agora: ['AGORA_APP_ID', 'AGORA_APP_CERTIFICATE'],
  livekit: ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
} as const;

const TURN_SECRET_BYTES = 16;

/** Who carries the sound and pictures of calls (contract 3.5, contract 17). */
export function readMedia(read: EnvReader, mode: Mode): MediaConfig {
  const tokenTtlSeconds = read.integer('RTC_TOKEN_TTL_SECONDS', 3_600, 1, 86_400);
  const provider = readProvider(read, mode);
  if (provider === 'webrtc') return readWebrtc(read, mode, tokenTtlSeconds);
  return provider === 'livekit'
    ? readLivekit(read, mode, tokenTtlSeconds)
    : readAgora(read, mode, tokenTtlSeconds);
}

/** What somebody who runs the service should know about its media, though it works. */
export function mediaWarnings(media: MediaConfig, mode: Mode): string[] {
  const isLacking = media.provider === 'webrtc' && media.turnUrls.length === 0 && mode === 'production';
  return isLacking
    ? [
        'No TURN_URLS are set: calls between networks that let no strangers in will have no sound and no pictures',
      ]
    : [];
}

/** The provider that is named, else the one whose credentials are there, else the one that needs none. */
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
  const turnSecret = read.text('TURN_SECRET');
  if (turnUrls.length > 0 && turnSecret === undefined) read.problem('TURN_SECRET must be set with TURN_URLS');
  const bytes = Buffer.byteLength(turnSecret ?? '');
  if (turnSecret !== undefined && mode === 'production' && bytes < TURN_SECRET_BYTES)
    read.problem(`TURN_SECRET must have at least ${TURN_SECRET_BYTES} bytes in production`);
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

/** Media credentials come all or none; production cannot do without them (contract 3.5). */
function requireTogether(read: EnvReader, mode: Mode, values: Record<string, string | undefined>): void {
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
