import type { CallSignalEvent, SendSignalRequest } from '../../generated/types.gen.js';

export type MediaKind = 'audio' | 'video';

/** What lets a terminal into the media of a call; `…/token` answers a fresh one. */
export interface MediaTicket {
  /** Tells the provider: `webrtc`, a LiveKit server's URL, or Agora's id. */
  appId: string;
  channelName: string;
  uid: string;
  token: string;
}

/** `lost`: not to be mended; `refused`: the call is over, or another terminal's. */
export type MediaState = 'connected' | 'reconnecting' | 'lost' | 'refused';

/** What of the sound and pictures arrives: all; less; hardly anything. */
export type MediaQuality = 'good' | 'fair' | 'poor';

/** What a provider is given of the call, and what it tells. */
export interface MediaContext {
  role: 'caller' | 'callee';
  /** Whether this terminal was in the call before, in a page that was loaded anew. */
  isResumed: boolean;
  ticket: MediaTicket;
  /** What is to be sent at the moment. */
  tracks: () => MediaStreamTrack[];
  /** Asks the service for a fresh ticket. */
  renew: () => Promise<MediaTicket>;
  /** Tells the other terminal something to connect by (built-in provider). */
  signal: (signal: Omit<SendSignalRequest, 'terminal_id'>) => Promise<void>;
  onTrack: (track: MediaStreamTrack) => void;
  onTrackGone: (kind: MediaKind) => void;
  onState: (state: MediaState) => void;
  /** Called when the peer mutes or unmutes its microphone. */
  onPeerMuted: (isMuted: boolean) => void;
  /** Now and then, while it is connected. */
  onQuality: (quality: MediaQuality) => void;
}

/** One terminal in the media of one call. */
export interface MediaConnection {
  /** Sends another track in the place of the one of its kind; null: none. */
  send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void>;
  /** Tells the other terminal whether the microphone is muted. The track itself carries silence already. */
  mute?(isMuted: boolean): void;
  /** The ticket was renewed before its end. */
  renewed(ticket: MediaTicket): Promise<void>;
  /** What the other terminal has signalled (built-in provider). */
  hear?(signal: CallSignalEvent): Promise<void>;
  close(): void;
}

/** A way to carry sound and pictures. */
export interface MediaProvider {
  /** Whether the service ends the call of whom it has not heard for a minute. */
  readonly needsReports: boolean;
  /** @throws {unknown} when the media cannot be entered */
  connect(context: MediaContext): Promise<MediaConnection>;
}

/** Loads a provider when a call needs it. */
export type LoadProvider = () => Promise<MediaProvider>;
