import { loadConfig } from './config';
import { ConfigError } from './env-reader';
import { mediaWarnings } from './media-config';

const mediaOf = (env: NodeJS.ProcessEnv) => loadConfig(env).media;

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const AGORA = { AGORA_APP_ID: 'a'.repeat(32), AGORA_APP_CERTIFICATE: 'b'.repeat(32) };
const LIVEKIT = { LIVEKIT_URL: 'wss://media.example', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' };
const PRODUCTION = { NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32) };
const TURN = { TURN_URLS: 'turn:turn.example:3478?transport=udp', TURN_SECRET: 't'.repeat(16) };

describe('Media provider', () => {
  it.each([
    ['none is named and there are no credentials', {}, 'webrtc'],
    ['none is named and there are credentials of Agora', AGORA, 'agora'],
    ['none is named and there are credentials of LiveKit', LIVEKIT, 'livekit'],
    ['it is named and others have credentials', { MEDIA_PROVIDER: 'webrtc', ...AGORA, ...LIVEKIT }, 'webrtc'],
    ['one of two with credentials is named', { MEDIA_PROVIDER: 'livekit', ...AGORA, ...LIVEKIT }, 'livekit'],
    ['it is named without credentials in development', { MEDIA_PROVIDER: 'agora' }, 'agora'],
  ])('when %s: %j is %s', (_, env, provider) => {
    expect(mediaOf(env).provider).toBe(provider);
  });

  it.each([
    [
      'credentials of two and none is named',
      { ...AGORA, ...LIVEKIT },
      'MEDIA_PROVIDER must be set: there are credentials of both agora and livekit',
    ],
    [
      'none is named and none has credentials in production',
      PRODUCTION,
      'production needs MEDIA_PROVIDER, or credentials of Agora or LiveKit',
    ],
    ['incomplete credentials', { LIVEKIT_API_KEY: 'key' }, 'LIVEKIT_URL and LIVEKIT_API_SECRET must be set'],
    [
      'a name without credentials in production',
      { ...PRODUCTION, MEDIA_PROVIDER: 'agora' },
      'AGORA_APP_ID and AGORA_APP_CERTIFICATE must be set in production',
    ],
  ])('is rejected with %s', (_, env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });
});

describe('Built-in media provider', () => {
  it('reads lists of servers, a secret and a policy', () => {
    const env = {
      STUN_URLS: 'stun:stun.example, stuns:[2001:db8::1]:5349',
      TURN_URLS: 'turn:10.0.0.7,turns:turn.example:443?transport=tcp',
      TURN_SECRET: 'north',
      ICE_TRANSPORT_POLICY: 'relay',
      RTC_TOKEN_TTL_SECONDS: '60',
    };
    expect(mediaOf(env)).toEqual({
      provider: 'webrtc',
      stunUrls: ['stun:stun.example', 'stuns:[2001:db8::1]:5349'],
      turnUrls: ['turn:10.0.0.7', 'turns:turn.example:443?transport=tcp'],
      turnSecret: 'north',
      transportPolicy: 'relay',
      tokenTtlSeconds: 60,
    });
  });

  it.each([
    'turn:turn.example',
    'stun://stun.example',
    'stun:stun.example:0',
    'stun:stun.example:65536',
    'stun:stun.example?transport=udp',
    'stun:',
    'stun:name@stun.example',
    'https://stun.example',
  ])('rejects STUN_URLS=%s', (STUN_URLS) => {
    expect(problemsOf({ STUN_URLS })).toEqual([
      'STUN_URLS must be addresses such as stun:stun.example:3478, separated by commas',
    ]);
  });

  it.each([
    'stun:turn.example',
    'turn:turn.example?transport=sctp',
    'turn:turn.example?transport=udp&x=1',
    'turn:turn.example:port',
    'turn:user:word@turn.example',
  ])('rejects TURN_URLS=%s', (TURN_URLS) => {
    expect(problemsOf({ TURN_URLS, TURN_SECRET: 'north' })).toEqual([
      'TURN_URLS must be addresses such as turn:turn.example:3478?transport=udp, separated by commas',
    ]);
  });

  it('lists every problem at once, without secrets', () => {
    const env = {
      ...PRODUCTION,
      MEDIA_PROVIDER: 'webrtc',
      STUN_URLS: 'secret',
      TURN_URLS: 'turn:secret@example',
      TURN_SECRET: 'secret',
      ICE_TRANSPORT_POLICY: 'some',
    };
    expect(problemsOf(env)).toEqual([
      'STUN_URLS must be addresses such as stun:stun.example:3478, separated by commas',
      'TURN_URLS must be addresses such as turn:turn.example:3478?transport=udp, separated by commas',
      'TURN_SECRET must have at least 16 bytes in production',
      'ICE_TRANSPORT_POLICY must be one of all, relay, but is "some"',
    ]);
  });

  it.each([
    [{ TURN_URLS: 'turn:turn.example' }, 'TURN_SECRET must be set with TURN_URLS'],
    [{ ICE_TRANSPORT_POLICY: 'relay' }, 'TURN_URLS must be set with ICE_TRANSPORT_POLICY=relay'],
  ])('rejects %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });

  it('counts the bytes of the secret, not its characters', () => {
    const env = { ...PRODUCTION, MEDIA_PROVIDER: 'webrtc', ...TURN };
    expect(problemsOf({ ...env, TURN_SECRET: '北'.repeat(6) })).toEqual([]);
    expect(problemsOf({ ...env, TURN_SECRET: 'n'.repeat(15) })).toEqual([
      'TURN_SECRET must have at least 16 bytes in production',
    ]);
    expect(problemsOf({ ...TURN, TURN_SECRET: 'n' })).toEqual([]);
  });

  it('starts in production without TURN servers, with a warning', () => {
    const warning =
      'No TURN_URLS are set: calls between networks that block direct connections will have no audio and no video';
    const warningsOf = (env: NodeJS.ProcessEnv): string[] => {
      const { media, mode } = loadConfig(env);
      return mediaWarnings(media, mode);
    };
    const production = { ...PRODUCTION, MEDIA_PROVIDER: 'webrtc' };
    expect(warningsOf(production)).toEqual([warning]);
    expect(warningsOf({ ...production, ...TURN })).toEqual([]);
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ ...PRODUCTION, ...AGORA })).toEqual([]);
  });
});
