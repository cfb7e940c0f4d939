import type { Clock } from '../../common/clock';
import type { AgoraConfig, LivekitConfig, MediaConfig } from '../../config/media-config';
import type { MediaWebhookReader } from './media-webhook-event';
import type { MediaProvider } from './media-provider';
import { WebrtcProvider } from './webrtc.provider';

/* A provider's library is imported only if that provider is configured: it has about 150 modules. */

/**
 * Creates the configured media provider.
 * @throws {Error} if credentials are missing; `loadConfig` and `withLocalSecrets` normally ensure them
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

/** Creates the reader of the configured provider's webhooks. @throws {Error} if credentials are missing */
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
