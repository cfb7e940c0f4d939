import type { CallSignalEvent, SendSignalRequest } from '../../generated/types.gen.js';

export type MediaKind = 'audio' | 'video';

/** Credentials for the media of a call. `POST …/token` returns a new ticket. */
export interface MediaTicket {
  /** Identifies the provider: `webrtc`, the URL of a LiveKit server, or an Agora app id. */
  appId: string;
  channelName: string;
  uid: string;
  token: string;
}

/** `lost`: cannot be restored; `refused`: the call has ended, or another terminal has it. */
export type MediaState = 'connected' | 'reconnecting' | 'lost' | 'refused';

/** Quality of audio and video: unimpaired, noticeably impaired, or hardly usable. */
export type MediaQuality = 'good' | 'fair' | 'poor';

/** The call as a provider sees it, and the callbacks of the provider. */
export interface MediaContext {
  role: 'caller' | 'callee';
  /** Whether this terminal was in the call before a reload of the page. */
  isResumed: boolean;
  ticket: MediaTicket;
  /** Returns the tracks to send. */
  tracks: () => MediaStreamTrack[];
  /** Requests a new ticket from the service. */
  renew: () => Promise<MediaTicket>;
  /** Sends a signal to the other terminal (built-in provider). */
  signal: (signal: Omit<SendSignalRequest, 'terminal_id'>) => Promise<void>;
  onTrack: (track: MediaStreamTrack) => void;
  /** Called when the peer does not send a kind any more. May be repeated, and called for a kind that was never sent. */
  onTrackGone: (kind: MediaKind) => void;
  onState: (state: MediaState) => void;
  /** Called when the peer mutes or unmutes its microphone. */
  onPeerMuted: (isMuted: boolean) => void;
  /** Called with the quality from time to time while the media are connected. */
  onQuality: (quality: MediaQuality) => void;
  /** Called with the quality that the peer measures, if the provider transmits it. */
  onPeerQuality: (quality: MediaQuality) => void;
}

/** Media connection of one terminal in one call. */
export interface MediaConnection {
  /** Replaces the track of a kind; null: stops sending it. */
  send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void>;
  /** Sends the mute state to the other terminal. The track itself carries silence already. */
  mute?(isMuted: boolean): void;
  /** Called with the new ticket after it was renewed. */
  renewed(ticket: MediaTicket): Promise<void>;
  /** Called with each signal of the other terminal (built-in provider). */
  hear?(signal: CallSignalEvent): Promise<void>;
  close(): void;
}

/** Carries audio and video. */
export interface MediaProvider {
  /** Whether the terminal must report regularly: the service ends a call after 60 s without a report. */
  readonly needsReports: boolean;
  /** @throws {unknown} if the connection cannot be established */
  connect(context: MediaContext): Promise<MediaConnection>;
}

/** Loads a provider. Called when a call needs it. */
export type LoadProvider = () => Promise<MediaProvider>;
