import type { LocalTrackPublication, Participant, Room, TrackPublication } from 'livekit-client';
import type { MediaConnection, MediaContext, MediaKind, MediaProvider, MediaQuality } from './media.js';

/** Maps LiveKit's qualities. `unknown` has no equivalent. */
const QUALITIES: Partial<Record<string, MediaQuality>> = {
  excellent: 'good',
  good: 'fair',
  poor: 'poor',
  lost: 'poor',
};

/** Media provider for LiveKit. Loads the library `livekit-client` with the first call. */
export const livekit: MediaProvider = {
  needsReports: false,
  connect: async (context) => {
    const { Room: LivekitRoom, RoomEvent, Track } = await import('livekit-client');
    const room = new LivekitRoom();
    const reportMuted = ({ kind, isMuted }: TrackPublication, participant: Participant): void => {
      if (kind === Track.Kind.Audio && !participant.isLocal) context.onPeerMuted(isMuted);
    };
    room.on(RoomEvent.TrackSubscribed, (track, publication, participant) => {
      context.onTrack(track.mediaStreamTrack);
      reportMuted(publication, participant);
    });
    room.on(RoomEvent.TrackMuted, reportMuted);
    room.on(RoomEvent.TrackUnmuted, reportMuted);
    room.on(RoomEvent.TrackUnsubscribed, (track) => context.onTrackGone(track.kind as string as MediaKind));
    room.on(RoomEvent.Reconnecting, () => context.onState('reconnecting'));
    room.on(RoomEvent.Reconnected, () => context.onState('connected'));
    room.on(RoomEvent.ConnectionQualityChanged, (quality, { isLocal }) => {
      const rating = QUALITIES[quality];
      if (rating === undefined) return;
      if (isLocal) context.onQuality(rating);
      else context.onPeerQuality(rating);
    });
    const connection = new LivekitConnection(room);
    room.on(RoomEvent.Disconnected, () => connection.isClosed || context.onState('lost'));
    // The token contains the room and the identity.
    await room.connect(context.ticket.appId, context.ticket.token);
    await connection.publishTracks(context);
    return connection;
  },
};

class LivekitConnection implements MediaConnection {
  isClosed = false;
  readonly #room: Room;
  readonly #sent = new Map<MediaKind, LocalTrackPublication>();

  constructor(room: Room) {
    this.#room = room;
  }

  async publishTracks({ tracks, onState }: MediaContext): Promise<void> {
    for (const track of tracks()) await this.send(track.kind as MediaKind, track);
    onState('connected');
  }

  async send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void> {
    const old = this.#sent.get(kind)?.track?.mediaStreamTrack;
    if (old !== undefined) {
      this.#sent.delete(kind);
      await this.#room.localParticipant.unpublishTrack(old, false);
    }
    if (track !== null) this.#sent.set(kind, await this.#room.localParticipant.publishTrack(track));
  }

  mute(isMuted: boolean): void {
    const publication = this.#sent.get('audio');
    // The result does not matter: a muted track carries silence anyway.
    (isMuted ? publication?.mute() : publication?.unmute())?.catch(() => undefined);
  }

  /** Does nothing: LiveKit renews the tokens of connected participants itself. */
  async renewed(): Promise<void> {
    await Promise.resolve();
  }

  close(): void {
    this.isClosed = true;
    this.#room.disconnect().catch(() => undefined);
  }
}
