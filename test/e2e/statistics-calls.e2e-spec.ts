import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { createCall, type CallFixture, newUserIds, createUsers } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { askStatistics, callFigures, countCalls, repairStatistics } from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';
import { eventually } from '../support/waiting';

const NO_LENGTHS = { to_10s: 0, to_1m: 0, to_5m: 0, to_30m: 0, more: 0 };
const NONE = {
  created: 0,
  answered: 0,
  rejected: 0,
  cancelled: 0,
  no_answer: 0,
  busy: 0,
  missed: 0,
  answer_rate: null,
  ring_seconds: 0,
  talk_seconds: 0,
  lengths: NO_LENGTHS,
};

describe('Call statistics', () => {
  let test: TestApp;
  // A day in Shanghai is 16:00 to 16:00 in UTC; the clock begins at 08:00.
  const start = async (): Promise<void> => {
    test = await createTestApp();
  };
  const stop = () => test?.close();

  const expire = async (): Promise<void> => {
    test.clock.advance(60);
    await test.app.get(CallDeadlines).sweep();
  };

  /** Creates a call that rings for `ring` seconds and lasts for `seconds`. */
  async function talk(ring: number, seconds: number, media_type = 'audio'): Promise<CallFixture> {
    const fixture = await createCall(test.api, 'ringing', { media_type });
    test.clock.advance(ring);
    await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
    test.clock.advance(seconds);
    await fixture.perform(fixture.caller, 'hangup');
    return fixture;
  }

  describe('after calls', () => {
    beforeEach(start);
    afterEach(stop);

    it('count every end reason', async () => {
      await talk(7, 42);
      await talk(3, 301, 'video');
      await createCall(test.api, 'rejected');
      await createCall(test.api, 'cancelled', { media_type: 'video' });
      await createCall(test.api, 'ringing');
      await expire();
      const ringing = await createCall(test.api, 'ringing');
      const admin = await test.api.as({ id: 1, role: 'admin' });
      await admin.post(`/api/admin/calls/${ringing.id}/end`, { reason: 'no_answer' });
      const busy = await createCall(test.api, 'ringing');
      const [other] = await createUsers(test.api, ...newUserIds(1));
      const attempt = await other?.post('/api/calls', { callee_id: busy.calleeId, media_type: 'video' });
      expect(attempt?.body.code).toBe(41001);
      await countCalls(test);
      const all = {
        created: 7,
        answered: 2,
        rejected: 1,
        cancelled: 2,
        no_answer: 1,
        busy: 1,
        missed: 4,
        answer_rate: 0.2857,
        ring_seconds: 10,
        talk_seconds: 343,
        lengths: { ...NO_LENGTHS, to_1m: 1, to_30m: 1 },
      };
      const { days, total } = await callFigures(test);
      expect([days.at(-1), total]).toEqual([{ day: '2026-01-31', ...all }, all]);
      expect((await callFigures(test, 'media_type=video')).total).toEqual({
        ...NONE,
        created: 3,
        answered: 1,
        cancelled: 1,
        busy: 1,
        missed: 2,
        answer_rate: 0.3333,
        ring_seconds: 3,
        talk_seconds: 301,
        lengths: { ...NO_LENGTHS, to_30m: 1 },
      });
      expect((await callFigures(test, 'media_type=audio')).total).toMatchObject({ created: 4, answered: 1 });
      expect(await repairStatistics(test)).toEqual([]);
    });

    it('count a finished call on the day of its creation', async () => {
      test.clock.set('2026-01-31T15:59:50.000Z');
      const fixture = await createCall(test.api, 'accepted');
      await countCalls(test);
      expect((await callFigures(test)).total).toEqual(NONE);
      test.clock.set('2026-01-31T16:02:00.000Z');
      const next = await createCall(test.api, 'ringing');
      await fixture.perform(fixture.caller, 'hangup');
      await next.perform(next.callee, 'reject');
      await countCalls(test);
      const { days } = await callFigures(test, 'from=2026-01-30&to=2026-02-02');
      expect(days.map((day: Record<string, unknown>) => [day.day, day.created, day.talk_seconds])).toEqual([
        ['2026-01-30', 0, 0],
        ['2026-01-31', 1, 130],
        ['2026-02-01', 1, 0],
        ['2026-02-02', 0, 0],
      ]);
      expect(await repairStatistics(test)).toEqual([]);
    });

    it('count a call as soon as its end is committed, without a request or a periodic job', async () => {
      await stopJobs(test);
      await createCall(test.api, 'rejected');
      await eventually(
        () => callFigures(test),
        ({ total }) => total.created === 1,
      );
    });
  });

  describe('without calls', () => {
    beforeAll(start);
    afterAll(stop);

    it('return zeros for each of the last 30 days', async () => {
      const { days, total } = await callFigures(test);
      expect([days.length, days[0], days[29], total]).toEqual([
        30,
        { day: '2026-01-02', ...NONE },
        { day: '2026-01-31', ...NONE },
        NONE,
      ]);
    });

    it.each([
      ['from=2026-01-31&to=2026-01-30', 'to 取值无效'],
      ['from=2026-02-01', 'to 取值无效'],
      ['from=2025-01-30&to=2026-01-31', 'to 取值无效'],
      ['from=2024-01-01', 'to 取值无效'],
      ['from=2026-02-30', 'from 取值无效'],
      ['from=2026-01-31T00:00:00Z', 'from 取值无效'],
      ['to=31.01.2026', 'to 取值无效'],
      ['to=2026-13-01', 'to 取值无效'],
      ['from=2026-01-30&from=2026-01-31', 'from 取值无效'],
      ['media_type=text', 'media_type 取值无效'],
    ])('reject %s', async (query, message) => {
      const { status, body } = await askStatistics(test, `calls?${query}`);
      expect([status, body]).toEqual([422, { code: 422, message, data: null }]);
    });

    it('accept 366 days, and a range in the future or long ago', async () => {
      const leap = await callFigures(test, 'from=2028-01-01&to=2028-12-31');
      expect([leap.days.length, leap.days[59].day]).toEqual([366, '2028-02-29']);
      expect((await callFigures(test, 'from=9999-12-31&to=9999-12-31')).days.length).toBe(1);
      expect((await callFigures(test, 'to=0001-01-01')).days.at(-1).day).toBe('0001-01-01');
      expect((await callFigures(test, 'from=&to=&media_type=')).days.length).toBe(30);
    });
  });
});
