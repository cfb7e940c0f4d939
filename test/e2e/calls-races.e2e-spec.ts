import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { Answer } from '../support/api-client';
import { aCall, type CallScene, meet, newUserIds } from '../support/calls';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(50);

/** How often each business code was answered. */
function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { body } of answers) counts[body.code] = (counts[body.code] ?? 0) + 1;
  return counts;
}

describe('Races', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  afterEach(async () => {
    // Whatever won: seats are held by unfinished calls only, two for each.
    const unfinished = await test.query(
      "SELECT id FROM calls WHERE status IN ('ringing', 'accepted', 'ongoing')",
    );
    const seats = (await test.query('SELECT call_id FROM call_seats ORDER BY call_id')) as {
      call_id: number;
    }[];
    const expected = (unfinished as { id: number }[]).flatMap(({ id }) => [id, id]).toSorted((a, b) => a - b);
    expect(seats.map(({ call_id }) => call_id)).toEqual(expected);
  });

  const inEveryRound = async (
    round: (scene: CallScene, index: number) => Promise<void>,
    stage?: 'accepted',
  ) => {
    for (let index = 0; index < ROUNDS; index += 1) await round(await aCall(test.api, stage), index);
  };

  it('20 terminals accept at once: one wins, the others get 41006', async () => {
    await inEveryRound(async (scene) => {
      const terminals = Array.from({ length: 20 }, (_, index) => `terminal-${index}`);
      const answers = await Promise.all(
        terminals.map((terminal_id) => scene.act(scene.callee, 'accept', { terminal_id })),
      );
      expect(tally(answers)).toEqual({ 0: 1, 41006: 19 });
      expect(await scene.record()).toMatchObject({ status: 'accepted', version: 2 });
      await scene.act(scene.caller, 'hangup');
    });
  });

  it('accept against cancel: one wins, and both answers tell the same story', async () => {
    await inEveryRound(async (scene, index) => {
      const acts = [
        () => scene.act(scene.callee, 'accept', { terminal_id: 'phone' }),
        () => scene.act(scene.caller, 'cancel'),
      ];
      const answers = await Promise.all((index % 2 ? acts.toReversed() : acts).map((act) => act()));
      const [accept, cancel] = index % 2 ? answers.toReversed() : answers;
      const { status, version } = await scene.record();
      const expected = { accepted: [0, 41008], cancelled: [41007, 0] }[status as string];
      expect([accept?.body.code, cancel?.body.code]).toEqual(expected);
      expect(version).toBe(2);
      if (status === 'accepted') await scene.act(scene.caller, 'hangup');
    });
  });

  it('accept against reject, from two terminals: one wins', async () => {
    await inEveryRound(async (scene) => {
      const [accept, reject] = await Promise.all([
        scene.act(scene.callee, 'accept', { terminal_id: 'phone' }),
        scene.act(scene.callee, 'reject', { terminal_id: 'desk' }),
      ]);
      const { status, version } = await scene.record();
      const expected = { accepted: [0, 41008], rejected: [41007, 0] }[status as string];
      expect([accept?.body.code, reject?.body.code]).toEqual(expected);
      expect(version).toBe(2);
      if (status === 'accepted') await scene.act(scene.caller, 'hangup');
    });
  });

  it('accept against the time-out: a call is answered or dead, never both', async () => {
    const deadlines = test.app.get(CallDeadlines);
    await inEveryRound(async (scene, index) => {
      test.clock.advance(59.999);
      const accepting = scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
      // The deadline comes a little later each round, so that it meets the accept at every step of its way.
      for (let tick = 0; tick < index; tick += 1) await new Promise(setImmediate);
      test.clock.advance(0.001);
      const [accept] = await Promise.all([accepting, deadlines.sweep(), deadlines.sweep()]);
      const { status, end_reason, version } = await scene.record();
      expect([
        [0, 'accepted', null, 2],
        [41007, 'ended', 'no_answer', 2],
      ]).toContainEqual([accept.body.code, status, end_reason, version]);
      if (status === 'accepted') await scene.act(scene.caller, 'hangup');
    });
  });

  it('both hang up: one end stands, and both are told it', async () => {
    await inEveryRound(async (scene) => {
      const [mine, theirs] = await Promise.all([
        scene.act(scene.caller, 'hangup', { reason: 'caller_done' }),
        scene.act(scene.callee, 'hangup', { reason: 'callee_done' }),
      ]);
      const record = await scene.record();
      const winner = record.end_reason === 'caller_done' ? scene.callerId : scene.calleeId;
      expect(record).toMatchObject({ status: 'ended', version: 3, ended_by: winner });
      const told = { call_id: scene.id, status: 'ended', end_reason: record.end_reason, version: 3 };
      expect([mine?.body.data, theirs?.body.data]).toEqual([told, told]);
    }, 'accepted');
  });

  it('both dial each other: one call results, the other dial is answered with 41002', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a = 0, b = 0] = newUserIds(2);
      const [one, two] = await meet(test.api, a, b);
      if (!one || !two) throw new Error('nobody came');
      const answers = await Promise.all([
        one.post('/api/calls', { callee_id: b }),
        two.post('/api/calls', { callee_id: a }),
      ]);
      expect(tally(answers)).toEqual({ 0: 1, 41002: 1 });
      const [active, other] = [await one.get('/api/calls/active'), await two.get('/api/calls/active')];
      expect(active.body.data.call_id).toBe(answers.find(({ body }) => body.code === 0)?.body.data.call_id);
      expect(other.body.data.call_id).toBe(active.body.data.call_id);
      expect((await one.get('/api/calls')).body.data.pagination.total).toBe(1);
    }
  });

  it('one request_id twenty times at once: one call, and everyone is told it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a = 0, b = 0] = newUserIds(2);
      const [caller] = await meet(test.api, a, b);
      if (!caller) throw new Error('nobody came');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => caller.post('/api/calls', { callee_id: b, request_id: 'once' })),
      );
      expect(tally(answers)).toEqual({ 0: 20 });
      expect(new Set(answers.map(({ body }) => body.data.call_id)).size).toBe(1);
      expect((await caller.get('/api/calls')).body.data.pagination.total).toBe(1);
    }
  });

  it('ten callers want the same callee: one rings, nine find it busy, and each attempt is kept once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [calleeId = 0, ...callerIds] = newUserIds(11);
      const [callee, ...callers] = await meet(test.api, calleeId, ...callerIds);
      const answers = await Promise.all(
        callers.map((caller) => caller.post('/api/calls', { callee_id: calleeId })),
      );
      expect(tally(answers)).toEqual({ 0: 1, 41001: 9 });
      const { items } = (await callee?.get('/api/calls'))?.body.data ?? {};
      expect(items.map(({ status }: { status: string }) => status).toSorted()).toEqual([
        ...Array.from({ length: 9 }, () => 'ended'),
        'ringing',
      ]);
    }
  });
});
