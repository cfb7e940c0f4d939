import { SignalOutbox } from '../src/calls/media/signal-outbox.js';
import { CallboardError } from '../src/index.js';

const OFFER = { type: 'offer', sdp: 'v=0' } as RTCSessionDescription;
const candidate = (text: string): RTCIceCandidate =>
  ({ toJSON: () => ({ candidate: text }) }) as RTCIceCandidate;
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('SignalOutbox', () => {
  type Signal = Parameters<ConstructorParameters<typeof SignalOutbox>[0]['send']>[0];
  /** The requests, in order, each as it was when it was sent. */
  const sent: Signal[] = [];
  let refusals: number;
  let error: Error | undefined;
  let outbox: SignalOutbox;

  beforeEach(() => {
    jest.useFakeTimers();
    sent.length = 0;
    refusals = 0;
    error = undefined;
    outbox = new SignalOutbox({
      sessionId: 'session',
      send: async (signal) => {
        sent.push(structuredClone(signal));
        if (error !== undefined) throw error;
      },
      onRefused: () => (refusals += 1),
    });
  });
  afterEach(() => {
    outbox.close();
    jest.useRealTimers();
  });

  it('repeats a signal unchanged until the service is back, and sends the later ones after it', async () => {
    error = new CallboardError('network');
    outbox.describe(OFFER);
    await pass(0);
    outbox.add(candidate('first'));
    outbox.add(candidate('second'));
    await pass(3_000);
    expect(sent).toHaveLength(2);
    error = undefined;
    await pass(3_000);
    expect(sent.slice(1, 3)).toEqual([sent[0], sent[0]]);
    expect(sent[0]).toMatchObject({ description: OFFER, candidates: [] });
    expect(sent.slice(3).map(({ candidates }) => candidates?.map((each) => each.candidate))).toEqual([
      ['first', 'second'],
    ]);
    expect(refusals).toBe(0);
  });

  it('stops at a permanent error', async () => {
    error = new CallboardError(41_007);
    outbox.describe(OFFER);
    outbox.add(candidate('first'));
    await pass(60_000);
    expect([sent.length, refusals]).toEqual([1, 1]);
  });

  it('drops its signals when it is closed', async () => {
    error = new CallboardError('network');
    outbox.describe(OFFER);
    await pass(0);
    outbox.close();
    error = undefined;
    outbox.add(candidate('first'));
    await pass(60_000);
    expect([sent.length, refusals]).toEqual([1, 0]);
  });
});
