import type { IAgoraRTC as Agora, IAgoraRTCRemoteUser, ILocalTrack, IRemoteTrack } from 'agora-rtc-sdk-ng';
import type {
  MediaConnection,
  MediaContext,
  MediaKind,
  MediaProvider,
  MediaQuality,
  MediaTicket,
} from './media.js';

/** Media provider for Agora. Loads the library `agora-rtc-sdk-ng` with the first call. */
export const agora: MediaProvider = {
  needsReports: false,
  connect: async (context) => {
    // The library is CommonJS: bundlers and Node disagree on its default export.
    const { default: library } = (await import('agora-rtc-sdk-ng')) as unknown as {
      default: Agora & { default?: Agora };
    };
    const connection = new AgoraConnection(library.default ?? library, context);
    await connection.join();
    return connection;
  },
};

class AgoraConnection implements MediaConnection {
  readonly #agora: Agora;
  readonly #client: ReturnType<Agora['createClient']>;
  readonly #context: MediaContext;
  readonly #sent = new Map<MediaKind, ILocalTrack>();
  /** Serialises mute operations, which the library does not support concurrently. */
  #muting: Promise<unknown> = Promise.resolve();

  constructor(AgoraRTC: Agora, context: MediaContext) {
    this.#agora = AgoraRTC;
    this.#context = context;
    this.#client = AgoraRTC.createClient({ mode: 'rtc', codec: 'vp8' });
    this.#client.on('user-published', (user, kind) => void this.#subscribe(user, kind));
    this.#client.on('user-unpublished', (_, kind) => {
      if (kind === 'datachannel') return;
      context.onTrackGone(kind);
      // A muted microphone is not published.
      if (kind === 'audio') context.onPeerMuted(true);
    });
    this.#client.on('network-quality', (own) => {
      const quality = toQuality(own);
      if (quality !== undefined) context.onQuality(quality);
      // The library has no event for the quality of the other users.
      const [peer] = Object.values(this.#client.getRemoteNetworkQuality()).map(toQuality);
      if (peer !== undefined) context.onPeerQuality(peer);
    });
    this.#client.on('connection-state-change', (now, _, reason) => {
      if (now === 'CONNECTED') context.onState('connected');
      else if (now === 'RECONNECTING') context.onState('reconnecting');
      else if (now === 'DISCONNECTED' && String(reason) !== 'LEAVE') context.onState('lost');
    });
  }

  async join(): Promise<void> {
    const { appId, channelName, token, uid } = this.#context.ticket;
    // Agora treats a text as a different user account than a number, and the token would not match.
    await this.#client.join(appId, channelName, token, Number(uid));
    for (const track of this.#context.tracks()) await this.send(track.kind as MediaKind, track);
  }

  async send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void> {
    const old = this.#sent.get(kind);
    if (old !== undefined) {
      this.#sent.delete(kind);
      await this.#client.unpublish(old);
    }
    if (track === null) return;
    const options = { mediaStreamTrack: track };
    const local =
      kind === 'audio'
        ? this.#agora.createCustomAudioTrack(options)
        : this.#agora.createCustomVideoTrack(options);
    this.#sent.set(kind, local);
    await this.#client.publish(local);
  }

  mute(isMuted: boolean): void {
    const track = this.#sent.get('audio');
    this.#muting = this.#muting.then(() => track?.setMuted(isMuted)).catch(() => undefined);
  }

  async renewed({ token }: MediaTicket): Promise<void> {
    await this.#client.renewToken(token);
  }

  close(): void {
    // The result does not matter: the call has ended.
    this.#client.leave().catch(() => undefined);
  }

  async #subscribe(user: IAgoraRTCRemoteUser, kind: MediaKind | 'datachannel'): Promise<void> {
    if (kind === 'datachannel') return;
    const track = (await this.#client.subscribe(user, kind)) as IRemoteTrack;
    this.#context.onTrack(track.getMediaStreamTrack());
    if (kind === 'audio') this.#context.onPeerMuted(false);
  }
}

/** Rates the worse direction. Agora's scale: 1 excellent, 3 noticeably impaired, 6 no connection; 0 unknown. */
function toQuality({
  uplinkNetworkQuality: up,
  downlinkNetworkQuality: down,
}: Record<'uplinkNetworkQuality' | 'downlinkNetworkQuality', number>): MediaQuality | undefined {
  const quality = Math.max(up, down);
  if (quality === 0) return undefined;
  return quality < 3 ? 'good' : quality === 3 ? 'fair' : 'poor';
}
