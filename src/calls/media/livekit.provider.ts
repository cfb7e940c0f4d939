import { AccessToken } from 'livekit-server-sdk';
import { type Clock, plusSeconds } from '../../common/clock';
import { MediaProvider, type MediaToken } from './media-provider';

/** Issues tokens for LiveKit rooms: the channel is the room, the uid is the identity. */
export class LivekitProvider extends MediaProvider {
  readonly appId: string;

  constructor(
    private readonly credentials: { url: string; apiKey: string; apiSecret: string; tokenTtlSeconds: number },
    private readonly clock: Clock,
  ) {
    super();
    this.appId = credentials.url;
  }

  async issueToken(channel: string, uid: number): Promise<MediaToken> {
    const { apiKey, apiSecret, tokenTtlSeconds: ttl } = this.credentials;
    const token = new AccessToken(apiKey, apiSecret, { identity: String(uid), ttl });
    token.addGrant({ roomJoin: true, room: channel, canPublish: true, canSubscribe: true });
    const issuedAt = new Date(Math.floor(this.clock.now().getTime() / 1000) * 1000);
    return { token: await token.toJwt(), expireAt: plusSeconds(issuedAt, ttl) };
  }
}
