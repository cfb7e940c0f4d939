import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { SignalRetention } from '../../src/calls/signals/signal-retention.job';
import {
  createOffer,
  createSignallingCall,
  createWebrtcApp,
  DONE,
  OFFER,
  type SignallingFixture,
  signalsOf,
} from '../support/signals';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('The content of signals', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const kept = async ({ id }: SignallingFixture): Promise<number> =>
    (await test.query(`SELECT id FROM call_signals WHERE call_id = ${id}`)).length;
  const joined = async (fixture: SignallingFixture): Promise<void> => {
    await fixture.perform(fixture.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
  };

  it.each<[string, (fixture: SignallingFixture) => Promise<unknown>]>([
    ['hung up', (fixture) => fixture.perform(fixture.callee, 'hangup')],
    [
      'at its greatest length',
      async () => {
        test.clock.advance(14_400);
        await test.app.get(CallDeadlines).sweep();
      },
    ],
    [
      'when a terminal is gone',
      async () => {
        test.clock.advance(60);
        await test.app.get(CallDeadlines).sweep();
      },
    ],
  ])('is deleted at the end of the call, %s; its number stays', async (_, end) => {
    const fixture = await createSignallingCall(test.api);
    const other = await createSignallingCall(test.api);
    await other.signal('caller', createOffer());
    await fixture.signal('caller', createOffer());
    await fixture.signal('callee', { signal_id: 'x' });
    expect(await kept(fixture)).toBe(2);
    const events = (await test.query(
      `SELECT payload FROM events WHERE user_id = ${fixture.calleeId} AND type = 'call.signal'`,
    )) as { payload: string }[];
    const { signal } = JSON.parse(events[0]?.payload ?? '') as { signal: number };
    expect(events).toEqual([{ payload: `{"call_id":${fixture.id},"signal":${signal}}` }]);
    await end(fixture);
    expect(await fixture.record()).toMatchObject({ status: 'ended' });
    expect(await kept(fixture)).toBe(0);
    expect(await signalsOf(fixture.callee)).toEqual([
      { type: 'call.signal', created_at: START, call_id: fixture.id, signal },
    ]);
    await other.perform(other.caller, 'hangup');
  });

  it('is delivered for less than two minutes, and deleted within one more', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('caller', createOffer());
    const sweep = (): Promise<void> => test.app.get(SignalRetention).sweep();
    for (let count = 0; count < 3; count += 1) {
      test.clock.advance(39.999);
      await joined(fixture);
    }
    await sweep();
    expect(await signalsOf(fixture.callee)).toMatchObject([{ description: OFFER }]);
    test.clock.advance(0.003);
    expect(await signalsOf(fixture.callee)).toEqual([
      { type: 'call.signal', created_at: START, call_id: fixture.id, signal: expect.any(Number) },
    ]);
    expect(await kept(fixture)).toBe(1);
    await sweep();
    expect(await kept(fixture)).toBe(0);
    expect(await fixture.record()).toMatchObject({ status: 'ongoing' });
  });

  it('is deleted with the next signal too, and its id can be used again', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('caller', createOffer({ signal_id: 'old' }));
    for (let count = 0; count < 3; count += 1) {
      test.clock.advance(40);
      await joined(fixture);
    }
    expect(
      (await fixture.signal('caller', createOffer({ signal_id: 'old', session_id: 'new' }))).body,
    ).toEqual(DONE);
    expect(await kept(fixture)).toBe(1);
    expect(await signalsOf(fixture.callee)).toMatchObject([
      { signal: expect.any(Number) },
      { signal_id: 'old', session_id: 'new' },
    ]);
  });

  it('is swept in batches, across calls', async () => {
    const fixture = await createSignallingCall(test.api);
    const rows = Array.from(
      { length: 1_200 },
      (_, index) =>
        `(${fixture.id}, ${fixture.callerId}, 'made-up-${index}', '{}', '2026-01-31 07:58:00.000')`,
    );
    await test.query(
      `INSERT INTO call_signals (call_id, sender_id, signal_id, body, created_at) VALUES ${rows.join(', ')}`,
    );
    await Promise.all([test.app.get(SignalRetention).sweep(), test.app.get(SignalRetention).sweep()]);
    expect(await kept(fixture)).toBe(0);
  });
});

describe('Signals of a former media provider', () => {
  it('are swept as well', async () => {
    const test = await createTestApp();
    await test.query(
      `INSERT INTO call_signals (call_id, sender_id, signal_id, body, created_at)
       VALUES (1, 1, 'a', '{}', '2026-01-31 07:58:00.000'), (1, 1, 'b', '{}', '2026-01-31 07:58:00.001')`,
    );
    await test.app.get(SignalRetention).sweep();
    expect(await test.query('SELECT signal_id FROM call_signals')).toEqual([{ signal_id: 'b' }]);
    await test.close();
  });
});
