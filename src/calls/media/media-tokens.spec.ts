import { jwtVerify } from 'jose';
import { decodeAgoraToken } from '../../../scripts/demo/decode-media-token';
import { Clock } from '../../common/clock';
import type { WebrtcConfig } from '../../config/media-config';
import { AgoraProvider } from './agora.provider';
import { createMediaProvider } from './create-media-provider';
import { LivekitProvider } from './livekit.provider';
import { WebrtcProvider } from './webrtc.provider';

const appId = '970ca35de60c44645bbae8a215061b33';
const appCertificate = '5cfd2fd1755d40ecb72977518be15d3b';

const [JOIN, PUBLISH_AUDIO, PUBLISH_VIDEO, PUBLISH_DATA] = [1, 2, 3, 4];

/** Unix time in whole seconds, the resolution of tokens. */
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

describe('Agora tokens', () => {
  const agora = new AgoraProvider({ appId, appCertificate, tokenTtlSeconds: 600 }, new Clock());

  it('contain the application, the channel, the uid and both expiries, with a valid signature', async () => {
    const { token, expireAt } = await agora.issueToken('call-7d72365e', 2_882_341_273);
    const content = decodeAgoraToken(token);
    expect(content).toMatchObject({ appId, channel: 'call-7d72365e', uid: '2882341273', expire: 600 });
    expect(content.privileges).toEqual({
      [JOIN]: 600,
      [PUBLISH_AUDIO]: 600,
      [PUBLISH_VIDEO]: 600,
      [PUBLISH_DATA]: 600,
    });
    expect(Math.abs(content.issuedAt + 600 - seconds(expireAt))).toBeLessThanOrEqual(1);
    expect(content.verify(appCertificate)).toBe(true);
    expect(content.verify('00000000000000000000000000000000')).toBe(false);
  });

  it('are decoded correctly, checked with the example of Agora', () => {
    const content = decodeAgoraToken(
      '007eJxTYBBbsMMnKq7p9Hf/HcIX5kce9b518kCiQgSr5Zrp4X1Tu6UUGCzNDZwdjU1TUs0Mkk1MzExMk5ISUy0SjQxNDcwMk4yN3b8IMEQwMTAwMoAwBIL4CgzmKeZGxmamqUmWFsYmFqbGluapxqnGaZYpJmYGSSkpiVwMRhYWRsYmhkbmxgDCaiTj',
    );
    expect(content).toMatchObject({
      appId: '970CA35de60c44645bbae8a215061b33',
      channel: '7d72365eb983485397e3e3f9d460bdda',
      uid: '2882341273',
      issuedAt: 1_111_111,
      expire: 600,
    });
    expect(content.verify('5CFd2fd1755d40ecb72977518be15d3b')).toBe(true);
  });

  it.each([0, -1, 1.5, 2 ** 32, Number.NaN])('are not issued for uid %s', async (uid) => {
    await expect(agora.issueToken('call-1', uid)).rejects.toThrow('Invalid uid');
  });

  it.each(['', 'x'.repeat(64), 'ünïcode', 'a/b'])(
    'are not issued for the channel name "%s"',
    async (channel) => {
      await expect(agora.issueToken(channel, 7)).rejects.toThrow('Invalid channel name');
    },
  );

  it('are not issued with credentials that the token builder rejects', async () => {
    const broken = new AgoraProvider({ appId: 'short', appCertificate, tokenTtlSeconds: 600 }, new Clock());
    await expect(broken.issueToken('call-1', 7)).rejects.toThrow('rejected');
  });
});

describe('LiveKit tokens', () => {
  const apiSecret = 'a-secret-of-livekit-with-32-bytes-or-more';
  const livekit = new LivekitProvider(
    { url: 'wss://media.example', apiKey: 'APIkey', apiSecret, tokenTtlSeconds: 600 },
    new Clock(),
  );

  it('let one identity join one room, with a valid signature', async () => {
    const { token, expireAt } = await livekit.issueToken('call-1', 42);
    const { payload } = await jwtVerify(token, Buffer.from(apiSecret), { issuer: 'APIkey', subject: '42' });
    expect(payload.video).toEqual({ roomJoin: true, room: 'call-1', canPublish: true, canSubscribe: true });
    expect(Math.abs((payload.exp ?? 0) - seconds(expireAt))).toBeLessThanOrEqual(1);
    expect(livekit.appId).toBe('wss://media.example');
  });
});

describe('Tokens of the built-in provider', () => {
  const clock = { now: () => new Date('2023-11-14T22:03:20.999Z') } as Clock;
  const media: WebrtcConfig = {
    provider: 'webrtc',
    stunUrls: ['stun:turn.example:3478'],
    turnUrls: ['turn:turn.example:3478?transport=udp'],
    turnSecret: 'north',
    transportPolicy: 'all',
    tokenTtlSeconds: 600,
  };

  it('contain the configuration of RTCPeerConnection, with a TURN user that expires with the token', async () => {
    const provider = new WebrtcProvider(media, clock);
    expect(provider.appId).toBe('webrtc');
    expect(await provider.issueToken('call-1', 42)).toEqual({
      token:
        '{"iceServers":[{"urls":["stun:turn.example:3478"]},' +
        '{"urls":["turn:turn.example:3478?transport=udp"],"username":"1700000000:call-1.42",' +
        '"credential":"81H7/ljbMG3XcgSysLQwHINYJI8="}],"iceTransportPolicy":"all"}',
      // Whole seconds, rounded down.
      expireAt: new Date('2023-11-14T22:13:20.000Z'),
    });
  });

  it('contain no servers when none are configured', async () => {
    const provider = new WebrtcProvider(
      { provider: 'webrtc', stunUrls: [], turnUrls: [], transportPolicy: 'all', tokenTtlSeconds: 60 },
      clock,
    );
    expect(await provider.issueToken('call-1', 42)).toEqual({
      token: '{"iceServers":[],"iceTransportPolicy":"all"}',
      expireAt: new Date('2023-11-14T22:04:20.000Z'),
    });
  });
});

describe('createMediaProvider', () => {
  it.each([
    [{ provider: 'agora', tokenTtlSeconds: 60 } as const, 'Agora credentials are missing'],
    [{ provider: 'livekit', tokenTtlSeconds: 60 } as const, 'LiveKit credentials are missing'],
  ])('rejects a provider without credentials: %j', async (media, message) => {
    await expect(createMediaProvider(media, new Clock())).rejects.toThrow(message);
  });
});
