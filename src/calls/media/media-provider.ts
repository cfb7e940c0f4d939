/** What a terminal needs to join a media channel, and until when. */
export interface MediaToken {
  token: string;
  expireAt: Date;
}

/** The service that carries the sound and pictures of calls; it is chosen by `MEDIA_PROVIDER` (contract 3.5). */
export abstract class MediaProvider {
  /** What clients know the media application by: `webrtc`, Agora's app id, LiveKit's server URL. */
  abstract readonly appId: string;

  /** A token for one user of one channel. `uid` is 1 to 2^32-1: 0 would let anybody in under any name. */
  abstract issueToken(channel: string, uid: number): Promise<MediaToken>;
}
