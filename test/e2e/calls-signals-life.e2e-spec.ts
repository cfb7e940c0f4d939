import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { SignalRetention } from '../../src/calls/signals/signal-retention.job';
import {
  anOffer,
  aSignallingCall,
  createWebrtcApp,
  DONE,
  OFFER,
  type SignallingScene,
  signalsOf,
} from '../support/signals';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('What signals bring', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const kept = async ({ id }: SignallingScene): Promise<number> =>
    (await test.query(`SELECT id FROM call_signals WHERE call_id = ${id}`)).length;
  const joined = async (scene: SignallingScene): Promise<void> => {
    await scene.act(scene.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
  };

  it.each<[string, (scene: SignallingScene) => Promise<unknown>]>([
    ['hung up', (scene) => scene.act(scene.callee, 'hangup')],
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
  ])('leaves the database with the end of the call, %s; its number stays', async (_, end) => {
    const scene = await aSignallingCall(test.api);
    const other = await aSignallingCall(test.api);
    await other.signal('caller', anOffer());
    await scene.signal('caller', anOffer());
    await scene.signal('callee', { signal_id: 'x' });
    expect(await kept(scene)).toBe(2);
    const events = (await test.query(
      `SELECT payload FROM events WHERE user_id = ${scene.calleeId} AND type = 'call.signal'`,
    )) as { payload: string }[];
    const { signal } = JSON.parse(events[0]?.payload ?? '') as { signal: number };
    expect(events).toEqual([{ payload: `{"call_id":${scene.id},"signal":${signal}}` }]);
    await end(scene);
    expect(await scene.record()).toMatchObject({ status: 'ended' });
    expect(await kept(scene)).toBe(0);
    expect(await signalsOf(scene.callee)).toEqual([
      { type: 'call.signal', created_at: START, call_id: scene.id, signal },
    ]);
    await other.act(other.caller, 'hangup');
  });

  it('is brought for less than two minutes, and is gone within one more', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('caller', anOffer());
    const sweep = (): Promise<void> => test.app.get(SignalRetention).sweep();
    for (let count = 0; count < 3; count += 1) {
      test.clock.advance(39.999);
      await joined(scene);
    }
    await sweep();
    expect(await signalsOf(scene.callee)).toMatchObject([{ description: OFFER }]);
    test.clock.advance(0.003);
    expect(await signalsOf(scene.callee)).toEqual([
      { type: 'call.signal', created_at: START, call_id: scene.id, signal: expect.any(Number) },
    ]);
    expect(await kept(scene)).toBe(1);
    await sweep();
    expect(await kept(scene)).toBe(0);
    expect(await scene.record()).toMatchObject({ status: 'ongoing' });
  });

  it('goes with the next signal too, and its id is free again', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('caller', anOffer({ signal_id: 'old' }));
    for (let count = 0; count < 3; count += 1) {
      test.clock.advance(40);
      await joined(scene);
    }
    expect((await scene.signal('caller', anOffer({ signal_id: 'old', session_id: 'new' }))).body).toEqual(
      DONE,
    );
    expect(await kept(scene)).toBe(1);
    expect(await signalsOf(scene.callee)).toMatchObject([
      { signal: expect.any(Number) },
      { signal_id: 'old', session_id: 'new' },
    ]);
  });

  it('is swept in batches, of whatever call', async () => {
    const scene = await aSignallingCall(test.api);
    const rows = Array.from(
      { length: 1_200 },
      (_, index) => `(${scene.id}, ${scene.callerId}, 'made-up-${index}', '{}', '2026-01-31 07:58:00.000')`,
    );
    await test.query(
      `INSERT INTO call_signals (call_id, sender_id, signal_id, body, created_at) VALUES ${rows.join(', ')}`,
    );
    await Promise.all([test.app.get(SignalRetention).sweep(), test.app.get(SignalRetention).sweep()]);
    expect(await kept(scene)).toBe(0);
  });
});

describe('Signals of a service that has another media provider now', () => {
  it('are swept there too', async () => {
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
