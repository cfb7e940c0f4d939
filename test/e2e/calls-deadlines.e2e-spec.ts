import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { aCall } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Deadlines of calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp({
      env: { CALL_RING_TIMEOUT_SECONDS: '30', CALL_MAX_DURATION_SECONDS: '600' },
    });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();
  const rowOf = async (id: number) =>
    (await test.query(`SELECT status, end_reason, version FROM calls WHERE id = ${id}`))[0];

  it('end a call that nobody answers, without any request, at the deadline itself', async () => {
    const scene = await aCall(test.api);
    test.clock.set('2026-01-31T08:00:31.500Z');
    await sweep();
    expect(await rowOf(scene.id)).toEqual({ status: 'ended', end_reason: 'no_answer', version: 2 });
    expect(await scene.record()).toMatchObject({
      ended_at: '2026-01-31T08:00:30.000Z',
      ended_by: null,
      duration: 0,
    });
  });

  it('end a call at its greatest length, counted from the answer', async () => {
    const scene = await aCall(test.api);
    test.clock.advance(10);
    await scene.act(scene.callee, 'accept');
    await scene.act(scene.callee, 'media-state', { stage: 'joined' });
    test.clock.set('2026-01-31T08:10:09.999Z');
    await sweep();
    expect(await rowOf(scene.id)).toMatchObject({ status: 'ongoing' });
    test.clock.set('2026-01-31T08:10:12.000Z');
    await sweep();
    expect(await scene.record()).toMatchObject({
      status: 'ended',
      end_reason: 'max_duration',
      ended_at: '2026-01-31T08:10:10.000Z',
      ended_by: null,
      duration: 600,
      missed: false,
    });
  });

  it('never end a call that was answered in time', async () => {
    const scene = await aCall(test.api, 'accepted');
    test.clock.advance(31);
    await sweep();
    expect(await scene.record()).toMatchObject({ status: 'accepted', version: 2 });
  });

  it('leave a finished call alone', async () => {
    const scene = await aCall(test.api, 'rejected');
    const before = await rowOf(scene.id);
    test.clock.advance(100_000);
    await sweep();
    expect(await rowOf(scene.id)).toEqual(before);
  });

  it('end all that are due, however many', async () => {
    const scenes = await Promise.all(Array.from({ length: 30 }, () => aCall(test.api)));
    test.clock.advance(30);
    await Promise.all([sweep(), sweep(), sweep()]);
    const rows = await Promise.all(scenes.map(({ id }) => rowOf(id)));
    const ended = { status: 'ended', end_reason: 'no_answer', version: 2 };
    expect(rows).toEqual(scenes.map(() => ended));
    const ids = scenes.map(({ id }) => id).join(', ');
    expect(await test.query(`SELECT * FROM call_seats WHERE call_id IN (${ids})`)).toEqual([]);
  });

  it.each([
    ['accept', 'callee', 41007],
    ['reject', 'callee', 41007],
    ['cancel', 'caller', 41007],
    ['hangup', 'caller', 0],
    ['token', 'caller', 41007],
    ['media-state', 'caller', 0],
  ] as const)('hold on access too: %s finds the call ended', async (act, who, code) => {
    const scene = await aCall(test.api);
    test.clock.advance(31);
    expect((await scene.act(scene[who], act)).body.code).toBe(code);
    expect(await rowOf(scene.id)).toEqual({ status: 'ended', end_reason: 'no_answer', version: 2 });
  });
});
