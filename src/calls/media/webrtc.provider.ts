import { createHmac } from 'node:crypto';
import { type Clock, plusSeconds } from '../../common/clock';
import type { WebrtcConfig } from '../../config/media-config';
import { MediaProvider, type MediaToken } from './media-provider';

/** An ICE server in the configuration of `RTCPeerConnection`. */
interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/**
 * The built-in provider: the two terminals of a call connect to each other, and the service relays their signals
 * (API 6.1). A token is a JSON text, the argument of `new RTCPeerConnection`. Its TURN credentials follow the REST
 * scheme that coturn checks with `use-auth-secret`.
 */
export class WebrtcProvider extends MediaProvider {
  readonly appId = 'webrtc';

  constructor(
    private readonly config: WebrtcConfig,
    private readonly clock: Clock,
  ) {
    super();
  }

  async issueToken(channel: string, uid: number): Promise<MediaToken> {
    const { stunUrls, turnUrls, turnSecret, transportPolicy, tokenTtlSeconds } = this.config;
    // Credentials have a resolution of whole seconds.
    const issuedAt = new Date(Math.floor(this.clock.now().getTime() / 1000) * 1000);
    const expireAt = plusSeconds(issuedAt, tokenTtlSeconds);
    const iceServers: IceServer[] = [];
    if (stunUrls.length > 0) iceServers.push({ urls: stunUrls });
    if (turnUrls.length > 0 && turnSecret !== undefined) {
      const username = `${expireAt.getTime() / 1000}:${channel}.${uid}`;
      iceServers.push({ urls: turnUrls, username, credential: turnCredential(turnSecret, username) });
    }
    return { token: JSON.stringify({ iceServers, iceTransportPolicy: transportPolicy }), expireAt };
  }
}

/** Computes the password of a TURN user: base64 of HMAC-SHA1 over the user name, which starts with the expiry time. */
export const turnCredential = (secret: string, username: string): string =>
  createHmac('sha1', secret).update(username).digest('base64');
