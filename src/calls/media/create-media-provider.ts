import type { Clock } from '../../common/clock';
import type { AgoraConfig, LivekitConfig, MediaConfig } from '../../config/media-config';
import type { MediaWebhookReader } from './media-webhook-event';
import type { MediaProvider } from './media-provider';
import { WebrtcProvider } from './webrtc.provider';

/* A provider's library is loaded where that provider is in force: 150 modules that nobody else needs. */

/**
 * The media provider that is configured.
 * @throws {Error} when credentials are missing; `loadConfig` and `withLocalSecrets` have seen to them before
 */
export async function createMediaProvider(media: MediaConfig, clock: Clock): Promise<MediaProvider> {
  if (media.provider === 'webrtc') return new WebrtcProvider(media, clock);
  const { tokenTtlSeconds } = media;
  if (media.provider === 'livekit') {
    const { url, apiKey, apiSecret } = media;
    if (!url || !apiKey || !apiSecret) throw new Error('LiveKit credentials are missing');
    const { LivekitProvider } = await import('./livekit.provider.js');
    return new LivekitProvider({ url, apiKey, apiSecret, tokenTtlSeconds }, clock);
  }
  const { appId, appCertificate } = media;
  if (!appId || !appCertificate) throw new Error('Agora credentials are missing');
  const { AgoraProvider } = await import('./agora.provider.js');
  return new AgoraProvider({ appId, appCertificate, tokenTtlSeconds }, clock);
}

/** The reader of what the configured media provider posts. @throws {Error} when credentials are missing */
export async function createMediaWebhookReader(
  media: AgoraConfig | LivekitConfig,
): Promise<MediaWebhookReader> {
  if (media.provider === 'agora') {
    const { AgoraWebhookReader } = await import('./agora-webhooks.js');
    return new AgoraWebhookReader(media.webhookSecret);
  }
  const { apiKey, apiSecret } = media;
  if (!apiKey || !apiSecret) throw new Error('LiveKit credentials are missing');
  const { LivekitWebhookReader } = await import('./livekit-webhooks.js');
  return new LivekitWebhookReader({ apiKey, apiSecret });
}
