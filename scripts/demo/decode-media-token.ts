import { AccessToken2 } from 'agora-token/src/AccessToken2';
import { decodeJwt } from 'jose';

const RTC_SERVICE = 1;

/** Content of an Agora token. `issuedAt` is in seconds since 1970; `expire` and the privileges are seconds after it. */
export interface AgoraTokenContent {
  appId: string;
  channel: string;
  uid: string;
  issuedAt: number;
  expire: number;
  /** Privilege (1 join, 2 audio, 3 video, 4 data) → seconds. */
  privileges: Record<number, number>;
  verify: (appCertificate: string) => boolean;
}

/** @throws {Error} if the text is not an Agora token */
export function decodeAgoraToken(token: string): AgoraTokenContent {
  const parsed = new AccessToken2('', '', 0, 0, 0);
  const service = parsed.from_string(token)
    ? parsed.services.find(({ __type }) => __type === RTC_SERVICE)
    : undefined;
  if (!service) throw new Error('Not an Agora token');
  return {
    appId: String(parsed.appId),
    channel: String(service.__channel_name),
    uid: String(service.__uid),
    issuedAt: parsed.issueTs,
    expire: parsed.expire,
    privileges: service.__privileges,
    verify: (appCertificate) => parsed.verifySignature(appCertificate),
  };
}

/** Decodes the media token of any provider. */
export function describeMediaToken(token: string): object {
  if (token.startsWith('{')) return JSON.parse(token) as object;
  if (!token.startsWith('007')) return decodeJwt(token);
  const { verify: _, ...content } = decodeAgoraToken(token);
  return content;
}
