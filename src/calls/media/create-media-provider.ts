import type { Clock } from '../../common/clock';
import type { MediaConfig } from '../../config/config';
import { AgoraNotices } from './agora-notices';
import { AgoraProvider } from './agora.provider';
import { LivekitNotices } from './livekit-notices';
import { LivekitProvider } from './livekit.provider';
import type { MediaNoticeReader } from './media-notice';
import type { MediaProvider } from './media-provider';

/**
 * The media provider that is configured.
 * @throws {Error} when credentials are missing; `loadConfig` and `withLocalSecrets` have seen to them before
 */
export function createMediaProvider(media: MediaConfig, clock: Clock): MediaProvider {
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
export function createMediaNoticeReader(media: MediaConfig): MediaNoticeReader {
  if (media.provider === 'agora') return new AgoraNotices(media.webhookSecret);
  const { apiKey, apiSecret } = media;
  if (!apiKey || !apiSecret) throw new Error('LiveKit credentials are missing');
  return new LivekitNotices({ apiKey, apiSecret });
}
