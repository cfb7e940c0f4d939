import { RtcRole, RtcTokenBuilder } from 'agora-token';
import { type Clock, plusSeconds } from '../../common/clock';
import { MediaProvider, type MediaToken } from './media-provider';

const CHANNEL_NAME = /^[\w !#$%&()+\-:;<=.>?@[\]^{}|~,]{1,63}$/;
const MAX_UID = 0xff_ff_ff_ff;

/** Issues tokens in the AccessToken2 format for Agora channels. */
export class AgoraProvider extends MediaProvider {
  readonly appId: string;

  constructor(
    private readonly credentials: { appId: string; appCertificate: string; tokenTtlSeconds: number },
    private readonly clock: Clock,
  ) {
    super();
    this.appId = credentials.appId;
  }

  async issueToken(channel: string, uid: number): Promise<MediaToken> {
    // The builder does not validate: it signs any name, and a token for a falsy uid lets every uid into the channel.
    if (!CHANNEL_NAME.test(channel)) throw new Error(`Invalid channel name: ${channel}`);
    if (!Number.isInteger(uid) || uid < 1 || uid > MAX_UID) throw new Error(`Invalid uid: ${uid}`);
    const { appId, appCertificate, tokenTtlSeconds: ttl } = this.credentials;
    const token = RtcTokenBuilder.buildTokenWithUid(
      appId,
      appCertificate,
      channel,
      uid,
      RtcRole.PUBLISHER,
      ttl,
      ttl,
    );
    if (token === '') throw new Error('The Agora token builder rejected the app id or certificate');
    // Tokens count whole seconds from the time of issue.
    const issuedAt = new Date(Math.floor(this.clock.now().getTime() / 1000) * 1000);
    return { token, expireAt: plusSeconds(issuedAt, ttl) };
  }
}
