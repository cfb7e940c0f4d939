import type { MediaKind, MediaQuality } from './media/media.js';

/** Audio and video received from the peer. */
export class PeerMedia {
  readonly stream = new MediaStream();
  readonly #onChange: () => void;
  #isMuted = false;
  #quality: MediaQuality | null = null;

  /** @param onChange called after each change */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** The quality that the peer measures; null while it is unknown. */
  get quality(): MediaQuality | null {
    return this.#quality;
  }

  readonly onTrack = (track: MediaStreamTrack): void => {
    this.onTrackGone(track.kind as MediaKind);
    this.stream.addTrack(track);
    this.#onChange();
  };

  readonly onTrackGone = (kind: MediaKind): void => {
    for (const old of this.stream.getTracks()) if (old.kind === kind) this.stream.removeTrack(old);
    this.#onChange();
  };

  readonly onPeerMuted = (isMuted: boolean): void => {
    this.#isMuted = isMuted;
    this.#onChange();
  };

  readonly onPeerQuality = (quality: MediaQuality): void => {
    this.#quality = quality;
    this.#onChange();
  };
}
