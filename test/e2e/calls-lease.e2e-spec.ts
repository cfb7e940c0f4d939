import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { FakeClock } from '../support/fake-clock';
import { LIVEKIT } from '../support/media-webhooks';
import { createMigratedDatabase } from '../support/migrated-database';
import {
  createOffer,
  createSignallingCall,
  createWebrtcApp,
  DONE,
  type SignallingFixture,
} from '../support/signals';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('The lease of a terminal', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp({ CALL_MAX_DURATION_SECONDS: '600' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();
  const report = (
    fixture: SignallingFixture,
    who: 'caller' | 'callee',
    terminal_id: string,
    stage = 'joined',
  ) => fixture.perform(fixture[who], 'media-state', { terminal_id, stage, network_quality: 'good' });
  const deadlineOf = async ({ id }: SignallingFixture): Promise<string> => {
    const [row] = (await test.query(`SELECT deadline_at AS at FROM calls WHERE id = ${id}`)) as {
      at: Date | string;
    }[];
    const at = row?.at ?? '';
    return at instanceof Date ? at.toISOString() : `${at.replace(' ', 'T')}Z`;
  };

  it('begins with its first signal, and ends the call after a minute without requests', async () => {
    const fixture = await createSignallingCall(test.api);
    test.clock.advance(5);
    await fixture.signal('caller', createOffer());
    test.clock.set('2026-01-31T08:01:04.999Z');
    await sweep();
    expect(await fixture.record()).toMatchObject({ status: 'accepted', version: 2 });
    test.clock.set('2026-01-31T08:01:06.500Z');
    await sweep();
    expect(await fixture.record()).toMatchObject({
      status: 'ended',
      end_reason: 'connection_lost',
      ended_by: null,
      ended_at: '2026-01-31T08:01:05.000Z',
      duration: 65,
      missed: false,
    });
  });

  it('does not begin without signals: such calls end as before', async () => {
    const fixture = await createSignallingCall(test.api);
    await report(fixture, 'caller', 'desk');
    await report(fixture, 'callee', 'phone');
    test.clock.advance(599);
    await sweep();
    expect(await fixture.record()).toMatchObject({ status: 'ongoing' });
    test.clock.advance(2);
    await sweep();
    expect(await fixture.record()).toMatchObject({ end_reason: 'max_duration' });
  });

  it('applies only to the side that has sent a signal', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('callee', { signal_id: 'x' });
    for (let round = 0; round < 4; round += 1) {
      test.clock.advance(40);
      expect((await report(fixture, 'callee', 'phone')).body.code).toBe(0);
    }
    await sweep();
    expect(await fixture.record()).toMatchObject({ status: 'ongoing' });
  });

  it('is renewed only by signals and joined reports of the terminal in the call', async () => {
    const fixture = await createSignallingCall(test.api);
    const offer = createOffer();
    await fixture.signal('caller', offer);
    await fixture.signal('callee', createOffer());
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:00.000Z');

    test.clock.set('2026-01-31T08:00:20.000Z');
    await report(fixture, 'caller', 'tablet');
    await report(fixture, 'caller', 'desk', 'reconnecting');
    await fixture.perform(fixture.caller, 'token', { terminal_id: 'desk' });
    // A repeated signal changes nothing.
    expect((await fixture.signal('caller', offer)).body).toEqual(DONE);
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:00.000Z');

    await report(fixture, 'caller', 'desk');
    // The callee's lease is the earliest now.
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:00.000Z');
    test.clock.set('2026-01-31T08:00:30.000Z');
    await fixture.signal('callee', createOffer());
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:20.000Z');
  });

  it('is not rewritten while more than 50 s are left', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('caller', createOffer());
    test.clock.set('2026-01-31T08:00:09.999Z');
    await report(fixture, 'caller', 'desk');
    await fixture.signal('caller', createOffer());
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:00.000Z');
    test.clock.set('2026-01-31T08:00:10.000Z');
    await report(fixture, 'caller', 'desk');
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:10.000Z');
  });

  it('does not extend the maximum duration of a call', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('caller', createOffer());
    for (let round = 0; round < 14; round += 1) {
      test.clock.advance(40);
      await report(fixture, 'caller', 'desk');
    }
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:10:00.000Z');
    test.clock.advance(40);
    await sweep();
    expect(await fixture.record()).toMatchObject({
      end_reason: 'max_duration',
      ended_at: '2026-01-31T08:10:00.000Z',
    });
  });

  it('is rejected for a call that should have ended', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('caller', createOffer());
    test.clock.advance(61);
    expect((await fixture.signal('caller', createOffer())).body.code).toBe(41007);
    expect((await report(fixture, 'caller', 'desk')).body.data).toMatchObject({ status: 'ended' });
    expect(await fixture.record()).toMatchObject({ end_reason: 'connection_lost' });
  });

  it('belongs to any terminal of a caller whose terminal was not stored', async () => {
    const fixture = await createSignallingCall(test.api);
    await test.query(`UPDATE calls SET caller_terminal_id = NULL WHERE id = ${fixture.id}`);
    await fixture.signal('caller', createOffer());
    test.clock.advance(20);
    await report(fixture, 'caller', 'another');
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:01:20.000Z');
  });

  it('is renewed by concurrent signals and reports of both without errors', async () => {
    const fixture = await createSignallingCall(test.api);
    await fixture.signal('caller', createOffer());
    await fixture.signal('callee', createOffer());
    for (let round = 1; round <= 10; round += 1) {
      test.clock.advance(20);
      const responses = await Promise.all([
        report(fixture, 'caller', 'desk'),
        report(fixture, 'callee', 'phone'),
        report(fixture, 'callee', 'phone'),
        fixture.signal('caller', createOffer()),
        fixture.signal('callee', createOffer()),
      ]);
      expect(responses.map(({ body }) => body.code)).toEqual([0, 0, 0, 0, 0]);
    }
    expect(await deadlineOf(fixture)).toBe('2026-01-31T08:04:20.000Z');
  });
});

it('The lease of a terminal survives a restart of the service', async () => {
  const database = await createMigratedDatabase();
  const clock = new FakeClock(START);
  const env = { MEDIA_PROVIDER: 'webrtc' };
  const before = await createTestApp({ env, database, clock });
  const fixture = await createSignallingCall(before.api);
  await fixture.signal('caller', createOffer());
  await before.close();
  clock.advance(61);
  const after = await createTestApp({ env, database, clock });
  await after.app.get(CallDeadlines).sweep();
  expect(
    (await after.api.with(fixture.caller.headers).get(`/api/calls/${fixture.id}`)).body.data,
  ).toMatchObject({
    status: 'ended',
    end_reason: 'connection_lost',
    ended_at: '2026-01-31T08:01:00.000Z',
  });
  await after.close();
  await database.drop();
});

describe('With a provider that reports participants', () => {
  it.each([
    ['agora', {}],
    ['livekit', LIVEKIT],
  ])('reports neither begin nor renew a lease: %s', async (_, env) => {
    const test = await createTestApp({ env });
    const fixture = await createSignallingCall(test.api);
    await test.query(
      `INSERT INTO call_media_presences (call_id, user_id, state, position, happened_at, grace_until)
       VALUES (${fixture.id}, ${fixture.callerId}, 'lost', '', 0, '2026-01-31 08:00:30.000')`,
    );
    test.clock.advance(20);
    await fixture.perform(fixture.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
    const rows = await test.query('SELECT user_id FROM call_media_presences');
    expect(rows).toEqual([{ user_id: fixture.callerId }]);
    const [call] = (await test.query(`SELECT deadline_at AS at FROM calls WHERE id = ${fixture.id}`)) as {
      at: Date | string;
    }[];
    const at = call?.at ?? '';
    expect(at instanceof Date ? at.toISOString() : at).toMatch(/^2026-01-31.12:00:00.000Z?$/);
    await test.close();
  });
});
