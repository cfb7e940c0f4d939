import { DataSource } from 'typeorm';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { ApiResponse } from '../support/api-client';
import { createCall, type CallFixture, type Stage } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { createTestApp, type TestApp } from '../support/test-app';

/**
 * Races with a fixed order: an action is held after it has read the call, another action runs, and the first one
 * continues with outdated data. It must detect that on every database.
 */
describe('Lost races of calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
  });
  afterAll(() => test?.close());

  /** Starts `late`, holds it after it has read the call, runs `early`, and continues `late`. */
  async function overtake(
    late: () => Promise<ApiResponse>,
    early: () => Promise<unknown>,
  ): Promise<ApiResponse> {
    const { manager } = test.app.get(DataSource);
    const hasRead = Promise.withResolvers<void>();
    const continued = Promise.withResolvers<void>();
    const query = manager.query.bind(manager);
    let isFirst = true;
    const spy = jest.spyOn(manager, 'query').mockImplementation(async (sql, parameters) => {
      const rows: unknown = await query(sql, parameters);
      if (isFirst && sql.startsWith('SELECT * FROM calls ')) {
        isFirst = false;
        hasRead.resolve();
        await continued.promise;
      }
      return rows;
    });
    const response = late();
    await hasRead.promise;
    await early();
    continued.resolve();
    spy.mockRestore();
    return response;
  }

  type Act = [who: 'caller' | 'callee', act: string, body?: object];
  const carryOut = (fixture: CallFixture, [who, act, body]: Act) => fixture.perform(fixture[who], act, body);
  const phone = { terminal_id: 'phone' };
  const tablet = { terminal_id: 'tablet' };

  it.each<[string, Stage, late: Act, early: Act, code: number, status: string, version: number]>([
    [
      'accept, overtaken by another terminal',
      'ringing',
      ['callee', 'accept', phone],
      ['callee', 'accept', tablet],
      41006,
      'accepted',
      2,
    ],
    [
      'accept, overtaken by cancel',
      'ringing',
      ['callee', 'accept', phone],
      ['caller', 'cancel'],
      41007,
      'cancelled',
      2,
    ],
    [
      'accept, overtaken by reject',
      'ringing',
      ['callee', 'accept', phone],
      ['callee', 'reject'],
      41007,
      'rejected',
      2,
    ],
    [
      'cancel, overtaken by accept',
      'ringing',
      ['caller', 'cancel'],
      ['callee', 'accept', phone],
      41008,
      'accepted',
      2,
    ],
    [
      'cancel, overtaken by reject',
      'ringing',
      ['caller', 'cancel'],
      ['callee', 'reject'],
      41007,
      'rejected',
      2,
    ],
    [
      'reject, overtaken by accept',
      'ringing',
      ['callee', 'reject'],
      ['callee', 'accept', phone],
      41008,
      'accepted',
      2,
    ],
    [
      'reject, overtaken by cancel',
      'ringing',
      ['callee', 'reject'],
      ['caller', 'cancel'],
      41007,
      'cancelled',
      2,
    ],
    ['hangup, overtaken by hangup', 'accepted', ['caller', 'hangup'], ['callee', 'hangup'], 0, 'ended', 3],
    [
      'joined, overtaken by hangup',
      'accepted',
      ['caller', 'media-state', { stage: 'joined' }],
      ['callee', 'hangup'],
      0,
      'ended',
      3,
    ],
    [
      'hangup, overtaken by joined',
      'accepted',
      ['caller', 'hangup'],
      ['callee', 'media-state', { stage: 'joined' }],
      0,
      'ended',
      4,
    ],
  ])('%s', async (_, stage, late, early, code, status, version) => {
    const fixture = await createCall(test.api, stage);
    let winner: ApiResponse | undefined;
    const loser = await overtake(
      () => carryOut(fixture, late),
      async () => {
        winner = await carryOut(fixture, early);
      },
    );
    expect([winner?.body.code, loser.body.code]).toEqual([0, code]);
    expect(await fixture.record()).toMatchObject({ status, version });
    if (status === 'accepted') await fixture.perform(fixture.caller, 'hangup');
  });

  it('reject an accept that the time-out has overtaken', async () => {
    const fixture = await createCall(test.api);
    test.clock.advance(59.999);
    const accept = await overtake(
      () => fixture.perform(fixture.callee, 'accept', phone),
      async () => {
        test.clock.advance(0.001);
        await test.app.get(CallDeadlines).sweep();
      },
    );
    expect(accept.body.code).toBe(41007);
    expect(await fixture.record()).toMatchObject({ status: 'ended', end_reason: 'no_answer', version: 2 });
  });

  it('keep an answered call when the accept has overtaken the time-out', async () => {
    const fixture = await createCall(test.api);
    test.clock.advance(60);
    // Reading the call would end it. The accept has read the call before the deadline and writes after it.
    const look = await overtake(
      () => fixture.caller.get(`/api/calls/${fixture.id}`),
      async () => {
        test.clock.advance(-0.001);
        expect((await fixture.perform(fixture.callee, 'accept', phone)).body.code).toBe(0);
        test.clock.advance(0.001);
      },
    );
    expect(look.body.data).toMatchObject({ status: 'accepted', version: 2 });
    await fixture.perform(fixture.caller, 'hangup');
  });
});
