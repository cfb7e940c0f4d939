import type { MediaContext, MediaState } from '../src/calls/index.js';
import { agora } from '../src/calls/media/agora.js';
import { livekit } from '../src/calls/media/livekit.js';
import { LinkQuality } from '../src/calls/media/link-quality.js';

/* Agora and LiveKit with mocks of their libraries, and the rating of connections. */

const calls: unknown[] = [];
const listeners = new Map<string, (...args: unknown[]) => unknown>();
const on = (event: string, listener: (...args: unknown[]) => unknown): unknown =>
  listeners.set(event, listener);
/** Emits an event of the library. */
const tell = (event: string, ...args: unknown[]): unknown => listeners.get(event)?.(...args);
/** Creates a method of the library that records its calls. */
const note =
  (name: string, answer?: unknown) =>
  async (...args: unknown[]): Promise<unknown> => {
    calls.push([name, ...args]);
    return answer;
  };

/** Agora's ratings of the other users, by uid. Its name allows the hoisted mock to use it. */
let mockRemoteQuality: Record<string, object> = {};

jest.mock('agora-rtc-sdk-ng', () => ({
  __esModule: true,
  default: {
    createClient: () => ({
      on,
      join: note('join'),
      publish: async (local: unknown) => void calls.push(['publish', String(local)]),
      unpublish: note('unpublish'),
      renewToken: note('renewToken'),
      leave: note('leave'),
      getRemoteNetworkQuality: () => mockRemoteQuality,
      subscribe: note('subscribe', { getMediaStreamTrack: () => 'their track' }),
    }),
    createCustomAudioTrack: ({ mediaStreamTrack }: { mediaStreamTrack: { id: string } }) => ({
      toString: () => `audio of ${mediaStreamTrack.id}`,
      setMuted: note('setMuted'),
    }),
    createCustomVideoTrack: ({ mediaStreamTrack }: { mediaStreamTrack: { id: string } }) =>
      `video of ${mediaStreamTrack.id}`,
  },
}));
jest.mock('livekit-client', () => ({
  Track: { Kind: { Audio: 'audio' } },
  RoomEvent: {
    TrackSubscribed: 'subscribed',
    TrackUnsubscribed: 'unsubscribed',
    TrackMuted: 'muted',
    TrackUnmuted: 'unmuted',
    Reconnecting: 'reconnecting',
    Reconnected: 'reconnected',
    Disconnected: 'disconnected',
    ConnectionQualityChanged: 'quality',
  },
  Room: class {
    localParticipant = {
      publishTrack: async (track: unknown) => {
        calls.push(['publish', track]);
        return { track: { mediaStreamTrack: track }, mute: note('mute'), unmute: note('unmute') };
      },
      unpublishTrack: note('unpublish'),
    };
    on = on;
    connect = note('connect');
    disconnect = note('disconnect');
  },
}));

const track = (kind: 'audio' | 'video', id: string): MediaStreamTrack => ({ kind, id }) as MediaStreamTrack;
const [microphone, camera] = [track('audio', 'microphone'), track('video', 'camera')];

const reported: unknown[] = [];
const contextOf = (appId: string): MediaContext => ({
  role: 'callee',
  isResumed: false,
  ticket: { appId, channelName: 'call-1', token: 'token', uid: '2882341273' },
  tracks: () => [microphone, camera],
  renew: async () => ({ appId, channelName: 'call-1', token: 'renewed', uid: '2882341273' }),
  signal: async () => undefined,
  onTrack: (theirs) => void reported.push(theirs),
  onTrackGone: (kind) => void reported.push(['gone', kind]),
  onState: (state: MediaState) => void reported.push(state),
  onPeerMuted: (isMuted) => void reported.push(['muted', isMuted]),
  onQuality: (quality) => void reported.push(quality),
  onPeerQuality: (quality) => void reported.push(['peer', quality]),
});

beforeEach(() => {
  for (const list of [calls, reported]) list.length = 0;
  listeners.clear();
});

describe('Agora', () => {
  it('joins with the uid as a number, sends both tracks, and replaces the camera', async () => {
    const connection = await agora.connect(contextOf('a'.repeat(32)));
    await connection.send('video', track('video', 'other camera'));
    await connection.send('video', null);
    expect(calls).toEqual([
      ['join', 'a'.repeat(32), 'call-1', 'token', 2_882_341_273],
      ['publish', 'audio of microphone'],
      ['publish', 'video of camera'],
      ['unpublish', 'video of camera'],
      ['publish', 'video of other camera'],
      ['unpublish', 'video of other camera'],
    ]);
  });

  it('reports the connection state and the tracks of the peer', async () => {
    await agora.connect(contextOf('a'.repeat(32)));
    tell('connection-state-change', 'CONNECTED', 'CONNECTING');
    await tell('user-published', { uid: 1 }, 'video');
    await Promise.resolve();
    await Promise.resolve();
    tell('user-unpublished', { uid: 1 }, 'video');
    tell('connection-state-change', 'RECONNECTING', 'CONNECTED', 'NETWORK_ERROR');
    tell('connection-state-change', 'DISCONNECTED', 'RECONNECTING', 'UID_BANNED');
    expect(reported).toEqual(['connected', 'their track', ['gone', 'video'], 'reconnecting', 'lost']);
  });

  it('mutes the audio track with the microphone, and reports the mute state of the peer', async () => {
    const connection = await agora.connect(contextOf('a'.repeat(32)));
    calls.length = 0;
    connection.mute?.(true);
    connection.mute?.(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual([
      ['setMuted', true],
      ['setMuted', false],
    ]);
    tell('user-unpublished', { uid: 1 }, 'audio');
    await tell('user-published', { uid: 1 }, 'audio');
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported).toEqual([['gone', 'audio'], ['muted', true], 'their track', ['muted', false]]);
  });

  it.each([
    [0, 0, []],
    [1, 2, ['good']],
    [2, 3, ['fair']],
    [4, 1, ['poor']],
  ])('reports its quality: %i out and %i in', async (uplinkNetworkQuality, downlinkNetworkQuality, seen) => {
    await agora.connect(contextOf('a'.repeat(32)));
    tell('network-quality', { uplinkNetworkQuality, downlinkNetworkQuality });
    expect(reported).toEqual(seen);
  });

  it('reports the quality of the peer with its own', async () => {
    await agora.connect(contextOf('a'.repeat(32)));
    mockRemoteQuality = { '1': { uplinkNetworkQuality: 1, downlinkNetworkQuality: 3 } };
    tell('network-quality', { uplinkNetworkQuality: 1, downlinkNetworkQuality: 1 });
    mockRemoteQuality = {};
    expect(reported).toEqual(['good', ['peer', 'fair']]);
  });

  it('uses a renewed token, and leaves on close', async () => {
    const connection = await agora.connect(contextOf('a'.repeat(32)));
    calls.length = 0;
    await connection.renewed({ ...contextOf('a'.repeat(32)).ticket, token: 'renewed' });
    connection.close();
    tell('connection-state-change', 'DISCONNECTED', 'CONNECTED', 'LEAVE');
    expect(calls).toEqual([['renewToken', 'renewed'], ['leave']]);
    expect(reported).toEqual([]);
  });
});

describe('LiveKit', () => {
  const THEY = { isLocal: false };

  it('joins with the URL and the token, and sends the tracks', async () => {
    const connection = await livekit.connect(contextOf('wss://media.example'));
    await connection.send('audio', null);
    expect(calls).toEqual([
      ['connect', 'wss://media.example', 'token'],
      ['publish', microphone],
      ['publish', camera],
      ['unpublish', microphone, false],
    ]);
    expect(reported).toEqual(['connected']);
  });

  it('reports the connection state, and nothing after it was closed', async () => {
    const connection = await livekit.connect(contextOf('wss://media.example'));
    tell('subscribed', { mediaStreamTrack: 'their track' }, { kind: 'video', isMuted: false }, THEY);
    tell('unsubscribed', { kind: 'audio' });
    tell('reconnecting');
    tell('reconnected');
    tell('disconnected');
    connection.close();
    tell('disconnected');
    expect(reported).toEqual([
      'connected',
      'their track',
      ['gone', 'audio'],
      'reconnecting',
      'connected',
      'lost',
    ]);
  });

  it('mutes the published microphone, and reports the mute state of the peer', async () => {
    const connection = await livekit.connect(contextOf('wss://media.example'));
    for (const list of [calls, reported]) list.length = 0;
    connection.mute?.(true);
    connection.mute?.(false);
    expect(calls).toEqual([['mute'], ['unmute']]);
    tell('subscribed', { mediaStreamTrack: 'their track' }, { kind: 'audio', isMuted: true }, THEY);
    tell('unmuted', { kind: 'audio', isMuted: false }, THEY);
    tell('muted', { kind: 'video', isMuted: true }, THEY);
    tell('muted', { kind: 'audio', isMuted: true }, { isLocal: true });
    expect(reported).toEqual(['their track', ['muted', true], ['muted', false]]);
  });

  it('reports the quality of the local connection', async () => {
    await livekit.connect(contextOf('wss://media.example'));
    reported.length = 0;
    for (const quality of ['excellent', 'good', 'poor', 'lost', 'unknown'])
      tell('quality', quality, { isLocal: true });
    tell('quality', 'lost', { isLocal: false });
    expect(reported).toEqual(['good', 'fair', 'poor', 'poor', ['peer', 'poor']]);
  });
});

describe('LinkQuality', () => {
  const inbound = (packetsReceived: number, packetsLost: number): object => ({
    type: 'inbound-rtp',
    packetsReceived,
    packetsLost,
  });
  const pair = (currentRoundTripTime: number): object => ({
    type: 'candidate-pair',
    state: 'succeeded',
    nominated: true,
    currentRoundTripTime,
  });
  const reportOf = (...all: object[]): Map<string, unknown> => new Map(all.map((one, at) => [`${at}`, one]));

  it.each([
    ['no data', [], undefined],
    ['no loss', [inbound(100, 0), pair(0.05)], 'good'],
    ['5 % loss', [inbound(95, 5), pair(0.05)], 'fair'],
    ['20 % loss', [inbound(80, 20), pair(0.05)], 'poor'],
    ['20 % outbound loss', [inbound(100, 0), { type: 'remote-inbound-rtp', fractionLost: 0.2 }], 'poor'],
    ['round-trip time 0.5 s', [inbound(100, 0), pair(0.5)], 'fair'],
    ['round-trip time 1 s', [inbound(100, 0), pair(1)], 'poor'],
  ])('rates a connection: %s', (_, stats, expected) => {
    expect(new LinkQuality().rate(reportOf(...stats))).toBe(expected);
  });

  it('rates the time since the previous rating', () => {
    const quality = new LinkQuality();
    expect(quality.rate(reportOf(inbound(50, 50), pair(0.05)))).toBe('poor');
    expect(quality.rate(reportOf(inbound(150, 50), pair(0.05)))).toBe('good');
  });
});
