import type { MediaConnection, MediaContext } from '../src/calls/index.js';
import { webrtc } from '../src/calls/media/webrtc.js';
import type { CallSignalEvent, SendSignalRequest } from '../src/index.js';
import { FakePeerConnection } from './support/fake-peer-connection.js';

const TICKET = { appId: 'webrtc', channelName: 'call-1', token: '{}', uid: '2882341273' };
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('The built-in provider', () => {
  const reported: unknown[] = [];
  const sent: Omit<SendSignalRequest, 'terminal_id'>[] = [];
  let connection: MediaConnection;

  beforeEach(() => {
    jest.useFakeTimers();
    for (const list of [reported, sent, FakePeerConnection.opened]) list.length = 0;
    Object.assign(globalThis, { RTCPeerConnection: FakePeerConnection });
  });
  afterEach(() => {
    connection.close();
    Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
    jest.useRealTimers();
  });

  async function connect(role: MediaContext['role']): Promise<void> {
    connection = await webrtc.connect({
      role,
      isResumed: false,
      ticket: TICKET,
      tracks: () => [],
      renew: async () => TICKET,
      signal: async (signal) => void sent.push(signal),
      onTrack: ({ kind }) => void reported.push(kind),
      onTrackGone: (kind) => void reported.push(['gone', kind]),
      onState: (state) => void reported.push(state),
      onPeerMuted: () => undefined,
      onQuality: () => undefined,
      onPeerQuality: () => undefined,
    });
  }
  /** The newest peer connection. */
  const link = (): FakePeerConnection => {
    const newest = FakePeerConnection.opened.at(-1);
    if (newest === undefined) throw new Error('There is no connection');
    return newest;
  };
  const hear = async (more: Partial<CallSignalEvent>): Promise<void> =>
    connection.hear?.({ type: 'call.signal', call_id: 1, signal_id: 'signal', ...more } as CallSignalEvent);
  const hearOffer = (session = 'session-1'): Promise<void> =>
    hear({ session_id: session, description: { type: 'offer', sdp: 'v=0' } });
  /** Sends an offer, and receives the answer. */
  async function offer(): Promise<void> {
    link().onnegotiationneeded?.();
    await pass(0);
    await hear({ session_id: sent.at(-1)?.session_id, description: { type: 'answer', sdp: 'v=0' } });
  }

  it('continues with the next signal when a connection is closed while a description is applied', async () => {
    await connect('callee');
    // In browsers, an operation never settles if its connection is closed while it is running.
    jest
      .spyOn(FakePeerConnection.prototype, 'setRemoteDescription')
      .mockReturnValueOnce(new Promise(() => undefined));
    const heard = hearOffer();
    connection.close();
    await expect(heard).resolves.toBeUndefined();
  });

  it('keeps the track of the peer while the browser mutes it because no frames arrive', async () => {
    await connect('callee');
    await hearOffer();
    const { video } = link().tracks;
    link().ontrack?.({ track: video });
    video.mute();
    expect(reported).toEqual(['video']);
  });

  it.each([
    ['callee', 'an offer', hearOffer],
    ['caller', 'an answer', offer],
  ] as const)(
    'removes the track that the peer stops sending, as the %s: by %s',
    async (role, _, negotiate) => {
      await connect(role);
      await negotiate();
      expect(reported).toEqual([]);
      link().negotiated = { audio: 'sendrecv', video: 'sendonly' };
      await negotiate();
      expect(reported).toEqual([['gone', 'video']]);
    },
  );

  it('gives up 45 s after a connection was replaced by one that is never established', async () => {
    await connect('caller');
    link().enter('connected');
    // The callee has reloaded its page, asks for an offer, and disappears.
    await hear({});
    expect(reported).toEqual(['connected', 'reconnecting']);
    await pass(44_000);
    expect(reported).toEqual(['connected', 'reconnecting']);
    await pass(1_000);
    expect(reported).toEqual(['connected', 'reconnecting', 'lost']);
  });

  it('does not restart ICE of the connection that replaces a disconnected one', async () => {
    await connect('caller');
    link().enter('connected');
    link().enter('disconnected');
    await hear({});
    await pass(3_000);
    expect(FakePeerConnection.opened.map(({ restarts }) => restarts)).toEqual([0, 0]);
  });
});
