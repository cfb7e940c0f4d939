import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { FakeClock } from '../support/fake-clock';
import { LIVEKIT } from '../support/media-notices';
import { createMigratedDatabase } from '../support/migrated-database';
import { anOffer, aSignallingCall, createWebrtcApp, DONE, type SignallingScene } from '../support/signals';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('The lease of a terminal', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp({ CALL_MAX_DURATION_SECONDS: '600' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();
  const report = (scene: SignallingScene, who: 'caller' | 'callee', terminal_id: string, stage = 'joined') =>
    scene.act(scene[who], 'media-state', { terminal_id, stage, network_quality: 'good' });
  const deadlineOf = async ({ id }: SignallingScene): Promise<string> => {
    const [row] = (await test.query(`SELECT deadline_at AS at FROM calls WHERE id = ${id}`)) as {
      at: Date | string;
    }[];
    const at = row?.at ?? '';
    return at instanceof Date ? at.toISOString() : `${at.replace(' ', 'T')}Z`;
  };

  it('begins with its first signal, and ends the call when nothing is heard of it for a minute', async () => {
    const scene = await aSignallingCall(test.api);
    test.clock.advance(5);
    await scene.signal('caller', anOffer());
    test.clock.set('2026-01-31T08:01:04.999Z');
    await sweep();
    expect(await scene.record()).toMatchObject({ status: 'accepted', version: 2 });
    test.clock.set('2026-01-31T08:01:06.500Z');
    await sweep();
    expect(await scene.record()).toMatchObject({
      status: 'ended',
      end_reason: 'connection_lost',
      ended_by: null,
      ended_at: '2026-01-31T08:01:05.000Z',
      duration: 65,
      missed: false,
    });
  });

  it('never begins for those who send no signal: their calls end as they always did', async () => {
    const scene = await aSignallingCall(test.api);
    await report(scene, 'caller', 'desk');
    await report(scene, 'callee', 'phone');
    test.clock.advance(599);
    await sweep();
    expect(await scene.record()).toMatchObject({ status: 'ongoing' });
    test.clock.advance(2);
    await sweep();
    expect(await scene.record()).toMatchObject({ end_reason: 'max_duration' });
  });

  it('runs for the one who has sent a signal alone', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('callee', { signal_id: 'x' });
    for (let round = 0; round < 4; round += 1) {
      test.clock.advance(40);
      expect((await report(scene, 'callee', 'phone')).body.code).toBe(0);
    }
    await sweep();
    expect(await scene.record()).toMatchObject({ status: 'ongoing' });
  });

  it('is prolonged by signals and by joined reports of the terminal in the call, and by nothing else', async () => {
    const scene = await aSignallingCall(test.api);
    const offer = anOffer();
    await scene.signal('caller', offer);
    await scene.signal('callee', anOffer());
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:00.000Z');

    test.clock.set('2026-01-31T08:00:20.000Z');
    await report(scene, 'caller', 'tablet');
    await report(scene, 'caller', 'desk', 'reconnecting');
    await scene.act(scene.caller, 'token', { terminal_id: 'desk' });
    // A repetition changes nothing.
    expect((await scene.signal('caller', offer)).body).toEqual(DONE);
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:00.000Z');

    await report(scene, 'caller', 'desk');
    // The other one's is the earliest now.
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:00.000Z');
    test.clock.set('2026-01-31T08:00:30.000Z');
    await scene.signal('callee', anOffer());
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:20.000Z');
  });

  it('is not written anew while more than 50 s are left', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('caller', anOffer());
    test.clock.set('2026-01-31T08:00:09.999Z');
    await report(scene, 'caller', 'desk');
    await scene.signal('caller', anOffer());
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:00.000Z');
    test.clock.set('2026-01-31T08:00:10.000Z');
    await report(scene, 'caller', 'desk');
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:10.000Z');
  });

  it('does not make a call longer than it may be', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('caller', anOffer());
    for (let round = 0; round < 14; round += 1) {
      test.clock.advance(40);
      await report(scene, 'caller', 'desk');
    }
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:10:00.000Z');
    test.clock.advance(40);
    await sweep();
    expect(await scene.record()).toMatchObject({
      end_reason: 'max_duration',
      ended_at: '2026-01-31T08:10:00.000Z',
    });
  });

  it('comes too late for a call that should have ended', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('caller', anOffer());
    test.clock.advance(61);
    expect((await scene.signal('caller', anOffer())).body.code).toBe(41007);
    expect((await report(scene, 'caller', 'desk')).body.data).toMatchObject({ status: 'ended' });
    expect(await scene.record()).toMatchObject({ end_reason: 'connection_lost' });
  });

  it('is of any terminal of a caller whose own nobody kept', async () => {
    const scene = await aSignallingCall(test.api);
    await test.query(`UPDATE calls SET caller_terminal_id = NULL WHERE id = ${scene.id}`);
    await scene.signal('caller', anOffer());
    test.clock.advance(20);
    await report(scene, 'caller', 'another');
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:01:20.000Z');
  });

  it('is renewed by signals and reports of both at once, without a fault', async () => {
    const scene = await aSignallingCall(test.api);
    await scene.signal('caller', anOffer());
    await scene.signal('callee', anOffer());
    for (let round = 1; round <= 10; round += 1) {
      test.clock.advance(20);
      const answers = await Promise.all([
        report(scene, 'caller', 'desk'),
        report(scene, 'callee', 'phone'),
        report(scene, 'callee', 'phone'),
        scene.signal('caller', anOffer()),
        scene.signal('callee', anOffer()),
      ]);
      expect(answers.map(({ body }) => body.code)).toEqual([0, 0, 0, 0, 0]);
    }
    expect(await deadlineOf(scene)).toBe('2026-01-31T08:04:20.000Z');
  });
});

it('The lease of a terminal outlives the service', async () => {
  const database = await createMigratedDatabase();
  const clock = new FakeClock(START);
  const env = { MEDIA_PROVIDER: 'webrtc' };
  const before = await createTestApp({ env, database, clock });
  const scene = await aSignallingCall(before.api);
  await scene.signal('caller', anOffer());
  await before.close();
  clock.advance(61);
  const after = await createTestApp({ env, database, clock });
  await after.app.get(CallDeadlines).sweep();
  expect((await after.api.with(scene.caller.headers).get(`/api/calls/${scene.id}`)).body.data).toMatchObject({
    status: 'ended',
    end_reason: 'connection_lost',
    ended_at: '2026-01-31T08:01:00.000Z',
  });
  await after.close();
  await database.drop();
});

describe('Where a provider tells who is there', () => {
  it.each([
    ['agora', {}],
    ['livekit', LIVEKIT],
  ])('reports begin no lease, nor prolong one: %s', async (_, env) => {
    const test = await createTestApp({ env });
    const scene = await aSignallingCall(test.api);
    await test.query(
      `INSERT INTO call_media_presences (call_id, user_id, state, position, happened_at, grace_until)
       VALUES (${scene.id}, ${scene.callerId}, 'lost', '', 0, '2026-01-31 08:00:30.000')`,
    );
    test.clock.advance(20);
    await scene.act(scene.caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
    const rows = await test.query('SELECT user_id FROM call_media_presences');
    expect(rows).toEqual([{ user_id: scene.callerId }]);
    const [call] = (await test.query(`SELECT deadline_at AS at FROM calls WHERE id = ${scene.id}`)) as {
      at: Date | string;
    }[];
    const at = call?.at ?? '';
    expect(at instanceof Date ? at.toISOString() : at).toMatch(/^2026-01-31.12:00:00.000Z?$/);
    await test.close();
  });
});
