/** A token for joining a media channel, and when it expires. */
export interface MediaToken {
  token: string;
  expireAt: Date;
}

/** The provider of audio and video for calls, selected by `MEDIA_PROVIDER` (API 6.1). */
export abstract class MediaProvider {
  /** Identifies the media application to clients: `webrtc`, Agora's app id, or LiveKit's server URL. */
  abstract readonly appId: string;

  /** Issues a token for one user of one channel. `uid` is 1 to 2^32-1: a token for 0 would be valid for every uid. */
  abstract issueToken(channel: string, uid: number): Promise<MediaToken>;
}
