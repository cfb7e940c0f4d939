import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { ApiResponse } from '../support/api-client';
import { createCall, type CallFixture, createUsers, newUserIds } from '../support/calls';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ALL_ROUNDS = 50;
const ROUNDS = raceRounds(ALL_ROUNDS);

/** Returns the number of responses with each business code. */
function tally(responses: ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { body } of responses) counts[body.code] = (counts[body.code] ?? 0) + 1;
  return counts;
}

describe('Concurrent call requests', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  afterEach(async () => {
    // After every race, only unfinished calls have seats, two each.
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
    round: (fixture: CallFixture, index: number) => Promise<void>,
    stage?: 'accepted',
  ) => {
    for (let index = 0; index < ROUNDS; index += 1) await round(await createCall(test.api, stage), index);
  };

  it('let one of 20 accepts win, and return 41006 to the others', async () => {
    await inEveryRound(async (fixture) => {
      const terminals = Array.from({ length: 20 }, (_, index) => `terminal-${index}`);
      const responses = await Promise.all(
        terminals.map((terminal_id) => fixture.perform(fixture.callee, 'accept', { terminal_id })),
      );
      expect(tally(responses)).toEqual({ 0: 1, 41006: 19 });
      expect(await fixture.record()).toMatchObject({ status: 'accepted', version: 2 });
      await fixture.perform(fixture.caller, 'hangup');
    });
  });

  it('let one of accept and cancel win, with consistent responses', async () => {
    await inEveryRound(async (fixture, index) => {
      const acts = [
        () => fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' }),
        () => fixture.perform(fixture.caller, 'cancel'),
      ];
      const responses = await Promise.all((index % 2 ? acts.toReversed() : acts).map((act) => act()));
      const [accept, cancel] = index % 2 ? responses.toReversed() : responses;
      const { status, version } = await fixture.record();
      const expected = { accepted: [0, 41008], cancelled: [41007, 0] }[status as string];
      expect([accept?.body.code, cancel?.body.code]).toEqual(expected);
      expect(version).toBe(2);
      if (status === 'accepted') await fixture.perform(fixture.caller, 'hangup');
    });
  });

  it('let one of accept and reject from two terminals win', async () => {
    await inEveryRound(async (fixture) => {
      const [accept, reject] = await Promise.all([
        fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' }),
        fixture.perform(fixture.callee, 'reject', { terminal_id: 'desk' }),
      ]);
      const { status, version } = await fixture.record();
      const expected = { accepted: [0, 41008], rejected: [41007, 0] }[status as string];
      expect([accept?.body.code, reject?.body.code]).toEqual(expected);
      expect(version).toBe(2);
      if (status === 'accepted') await fixture.perform(fixture.caller, 'hangup');
    });
  });

  it('let an accept or the time-out win, never both', async () => {
    const deadlines = test.app.get(CallDeadlines);
    await inEveryRound(async (fixture, index) => {
      test.clock.advance(59.999);
      const accepting = fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
      // The deadline is a little later in each round, so that it coincides with steps from the start of the accept to its end.
      const ticks = (index * ALL_ROUNDS) / ROUNDS;
      for (let tick = 0; tick < ticks; tick += 1) await new Promise(setImmediate);
      test.clock.advance(0.001);
      const [accept] = await Promise.all([accepting, deadlines.sweep(), deadlines.sweep()]);
      const { status, end_reason, version } = await fixture.record();
      expect([
        [0, 'accepted', null, 2],
        [41007, 'ended', 'no_answer', 2],
      ]).toContainEqual([accept.body.code, status, end_reason, version]);
      if (status === 'accepted') await fixture.perform(fixture.caller, 'hangup');
    });
  });

  it('store one of two hang-ups, and return it to both', async () => {
    await inEveryRound(async (fixture) => {
      const [mine, theirs] = await Promise.all([
        fixture.perform(fixture.caller, 'hangup', { reason: 'caller_done' }),
        fixture.perform(fixture.callee, 'hangup', { reason: 'callee_done' }),
      ]);
      const record = await fixture.record();
      const winner = record.end_reason === 'caller_done' ? fixture.callerId : fixture.calleeId;
      expect(record).toMatchObject({ status: 'ended', version: 3, ended_by: winner });
      const expected = { call_id: fixture.id, status: 'ended', end_reason: record.end_reason, version: 3 };
      expect([mine?.body.data, theirs?.body.data]).toEqual([expected, expected]);
    }, 'accepted');
  });

  it('create one call when two users call each other, and return 41002 to the other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a = 0, b = 0] = newUserIds(2);
      const [one, two] = await createUsers(test.api, a, b);
      if (!one || !two) throw new Error('nobody came');
      const responses = await Promise.all([
        one.post('/api/calls', { callee_id: b }),
        two.post('/api/calls', { callee_id: a }),
      ]);
      expect(tally(responses)).toEqual({ 0: 1, 41002: 1 });
      const [active, other] = [await one.get('/api/calls/active'), await two.get('/api/calls/active')];
      expect(active.body.data.call_id).toBe(responses.find(({ body }) => body.code === 0)?.body.data.call_id);
      expect(other.body.data.call_id).toBe(active.body.data.call_id);
      expect((await one.get('/api/calls')).body.data.pagination.total).toBe(1);
    }
  });

  it('create one call for one request_id sent twenty times, and return it to all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a = 0, b = 0] = newUserIds(2);
      const [caller] = await createUsers(test.api, a, b);
      if (!caller) throw new Error('nobody came');
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => caller.post('/api/calls', { callee_id: b, request_id: 'once' })),
      );
      expect(tally(responses)).toEqual({ 0: 20 });
      expect(new Set(responses.map(({ body }) => body.data.call_id)).size).toBe(1);
      expect((await caller.get('/api/calls')).body.data.pagination.total).toBe(1);
    }
  });

  it('ring once for ten callers of one callee, and store nine busy attempts once each', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [calleeId = 0, ...callerIds] = newUserIds(11);
      const [callee, ...callers] = await createUsers(test.api, calleeId, ...callerIds);
      const responses = await Promise.all(
        callers.map((caller) => caller.post('/api/calls', { callee_id: calleeId })),
      );
      expect(tally(responses)).toEqual({ 0: 1, 41001: 9 });
      const { items } = (await callee?.get('/api/calls'))?.body.data ?? {};
      expect(items.map(({ status }: { status: string }) => status).toSorted()).toEqual([
        ...Array.from({ length: 9 }, () => 'ended'),
        'ringing',
      ]);
    }
  });
});
