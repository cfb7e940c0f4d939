import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { createCall } from '../support/calls';
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

  it('end an unanswered call without a request, at the deadline itself', async () => {
    const fixture = await createCall(test.api);
    test.clock.set('2026-01-31T08:00:31.500Z');
    await sweep();
    expect(await rowOf(fixture.id)).toEqual({ status: 'ended', end_reason: 'no_answer', version: 2 });
    expect(await fixture.record()).toMatchObject({
      ended_at: '2026-01-31T08:00:30.000Z',
      ended_by: null,
      duration: 0,
    });
  });

  it('end a call at its maximum duration after the answer', async () => {
    const fixture = await createCall(test.api);
    test.clock.advance(10);
    await fixture.perform(fixture.callee, 'accept');
    await fixture.perform(fixture.callee, 'media-state', { stage: 'joined' });
    test.clock.set('2026-01-31T08:10:09.999Z');
    await sweep();
    expect(await rowOf(fixture.id)).toMatchObject({ status: 'ongoing' });
    test.clock.set('2026-01-31T08:10:12.000Z');
    await sweep();
    expect(await fixture.record()).toMatchObject({
      status: 'ended',
      end_reason: 'max_duration',
      ended_at: '2026-01-31T08:10:10.000Z',
      ended_by: null,
      duration: 600,
      missed: false,
    });
  });

  it('do not change a finished call', async () => {
    const fixture = await createCall(test.api, 'rejected');
    const before = await rowOf(fixture.id);
    test.clock.advance(100_000);
    await sweep();
    expect(await rowOf(fixture.id)).toEqual(before);
  });

  it('end all overdue calls, regardless of their number', async () => {
    const fixtures = await Promise.all(Array.from({ length: 30 }, () => createCall(test.api)));
    test.clock.advance(30);
    await Promise.all([sweep(), sweep(), sweep()]);
    const rows = await Promise.all(fixtures.map(({ id }) => rowOf(id)));
    const ended = { status: 'ended', end_reason: 'no_answer', version: 2 };
    expect(rows).toEqual(fixtures.map(() => ended));
    const ids = fixtures.map(({ id }) => id).join(', ');
    expect(await test.query(`SELECT * FROM call_seats WHERE call_id IN (${ids})`)).toEqual([]);
  });

  it.each([
    ['accept', 'callee', 41007],
    ['reject', 'callee', 41007],
    ['cancel', 'caller', 41007],
    ['hangup', 'caller', 0],
    ['token', 'caller', 41007],
    ['media-state', 'caller', 0],
  ] as const)('apply on access: %s returns the call as ended', async (act, who, code) => {
    const fixture = await createCall(test.api);
    test.clock.advance(31);
    expect((await fixture.perform(fixture[who], act)).body.code).toBe(code);
    expect(await rowOf(fixture.id)).toEqual({ status: 'ended', end_reason: 'no_answer', version: 2 });
  });
});
