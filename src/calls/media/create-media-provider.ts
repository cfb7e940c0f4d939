import type { Clock } from '../../common/clock';
import type { AgoraConfig, LivekitConfig, MediaConfig } from '../../config/media-config';
import { AgoraWebhookReader } from './agora-webhooks';
import { AgoraProvider } from './agora.provider';
import { LivekitWebhookReader } from './livekit-webhooks';
import { LivekitProvider } from './livekit.provider';
import type { MediaWebhookReader } from './media-webhook-event';
import type { MediaProvider } from './media-provider';
import { WebrtcProvider } from './webrtc.provider';

/**
 * The media provider that is configured.
 * @throws {Error} when credentials are missing; `loadConfig` and `withLocalSecrets` have seen to them before
 */
export function createMediaProvider(media: MediaConfig, clock: Clock): MediaProvider {
  if (media.provider === 'webrtc') return new WebrtcProvider(media, clock);
  const { tokenTtlSeconds } = media;
  if (media.provider === 'livekit') {
    const { url, apiKey, apiSecret } = media;
    if (!url || !apiKey || !apiSecret) throw new Error('LiveKit credentials are missing');
    return new LivekitProvider({ url, apiKey, apiSecret, tokenTtlSeconds }, clock);
  }
  const { appId, appCertificate } = media;
  if (!appId || !appCertificate) throw new Error('Agora credentials are missing');
  return new AgoraProvider({ appId, appCertificate, tokenTtlSeconds }, clock);
}

/** The reader of what the configured media provider posts. @throws {Error} when credentials are missing */
export function createMediaWebhookReader(media: AgoraConfig | LivekitConfig): MediaWebhookReader {
  if (media.provider === 'agora') return new AgoraWebhookReader(media.webhookSecret);
  const { apiKey, apiSecret } = media;
  if (!apiKey || !apiSecret) throw new Error('LiveKit credentials are missing');
  return new LivekitWebhookReader({ apiKey, apiSecret });
}
