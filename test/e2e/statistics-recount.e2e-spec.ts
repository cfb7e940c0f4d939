import { DataSource } from 'typeorm';
import { CallCounting } from '../../src/statistics/services/call-counting';
import { RollupJob } from '../../src/statistics/services/rollup.job';
import { createCall, newUserIds } from '../support/calls';
import { ChatUser } from '../support/messaging';
import { callFigures, countCalls, overview, advanceMinute, repairStatistics } from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

const DAY = '2026-01-31';

describe('A statistics recount', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
  });
  afterEach(() => test?.close());

  const change = (sql: string): Promise<unknown> => test.app.get(DataSource).query(sql);

  it('reports and corrects each wrong metric', async () => {
    await createCall(test.api, 'ended');
    await createCall(test.api, 'rejected', { media_type: 'video' });
    const [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    await ann.send(await ann.openSingle(ben.id), 'hello');
    await countCalls(test);
    await advanceMinute(test);
    await change(`UPDATE stats_daily SET value = 7 WHERE metric = 'calls.audio.answered'`);
    await change(`DELETE FROM stats_daily WHERE metric IN ('calls.video.rejected', 'users')`);
    await change(`UPDATE stats_daily SET value = 0 WHERE metric = 'messages'`);
    await change(`INSERT INTO stats_daily (metric, day, value) VALUES ('new_users', '2026-01-01', 5)`);
    await change(`UPDATE stats_daily SET value = value + 1 WHERE metric = 'active_users'`);
    expect(await repairStatistics(test)).toEqual([
      { metric: 'calls.audio.answered', day: DAY, stored: 7, actual: 1 },
      { metric: 'calls.video.rejected', day: DAY, stored: 0, actual: 1 },
      { metric: 'messages', day: DAY, stored: 0, actual: 1 },
      { metric: 'new_users', day: '2026-01-01', stored: 5, actual: 0 },
      { metric: 'users', day: '', stored: 0, actual: 8 },
      { metric: 'active_users', day: DAY, stored: 6, actual: 5 },
    ]);
    expect(await repairStatistics(test)).toEqual([]);
    expect((await callFigures(test)).total).toMatchObject({ created: 2, answered: 1, rejected: 1 });
    expect((await overview(test)).totals.users).toBe(8);
  });

  it('keeps earlier active users, who can no longer be determined', async () => {
    const [ann = 0, ben = 0] = newUserIds(2);
    for (const id of [ann, ben]) await (await test.api.as({ id })).get('/api/auth/me');
    await advanceMinute(test);
    test.clock.set('2026-01-31T16:00:00.000Z');
    await (await test.api.as({ id: ann })).get('/api/auth/me');
    await advanceMinute(test);
    expect(await repairStatistics(test)).toEqual([]);
    await change(`DELETE FROM stats_daily WHERE metric = 'active_users'`);
    expect(await repairStatistics(test)).toEqual([
      { metric: 'active_users', day: DAY, stored: 0, actual: 1 },
      { metric: 'active_users', day: '2026-02-01', stored: 0, actual: 1 },
    ]);
  });

  it('ignores undispatched events and rows behind the rollup position', async () => {
    const routing = jest
      .spyOn(test.app.get(CallCounting), 'dispatch')
      .mockRejectedValue(new Error('not now'));
    await createCall(test.api, 'ongoing');
    const fixture = await createCall(test.api, 'accepted');
    const [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    const chat = await ann.openSingle(ben.id);
    await ann.send(chat, 'early');
    await advanceMinute(test);
    await ann.send(chat, 'late');
    await fixture.perform(fixture.caller, 'hangup');
    expect(await repairStatistics(test)).toEqual([]);
    expect([(await callFigures(test)).total.created, (await overview(test)).today.messages]).toEqual([0, 1]);
    routing.mockRestore();
    await advanceMinute(test);
    await countCalls(test);
    expect([(await callFigures(test)).total.created, (await overview(test)).today.messages]).toEqual([1, 2]);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('corrects once when it runs twice concurrently', async () => {
    for (let index = 0; index < 5; index += 1) await createCall(test.api, 'ended');
    await countCalls(test);
    await change(`DELETE FROM stats_daily`);
    const other = await createTestApp({ database: test.database, clock: test.clock });
    const [first, second] = await Promise.all([repairStatistics(test), repairStatistics(other)]);
    const mended = [...first, ...second].filter(({ metric }) => metric === 'calls.audio.answered');
    expect(mended).toEqual([{ metric: 'calls.audio.answered', day: DAY, stored: 0, actual: 5 }]);
    expect((await callFigures(test)).total.answered).toBe(5);
    await other.close();
  });

  it('is exact during ending calls, messages and rollups', async () => {
    const [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    const chat = await ann.openSingle(ben.id);
    const over = new AbortController();
    const traffic = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await createCall(test.api, 'rejected');
        await ann.send(chat);
        test.clock.advance(31);
        await test.app.get(RollupJob).run();
      }
    };
    const happening = Promise.all([traffic(), traffic()]);
    for (let time = 0; time < 8; time += 1) expect(await repairStatistics(test)).toEqual([]);
    over.abort();
    await happening;
    await countCalls(test);
    await advanceMinute(test);
    expect(await repairStatistics(test)).toEqual([]);
  });
});
