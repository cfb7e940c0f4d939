import { DataSource } from 'typeorm';
import { RollupJob } from '../../src/statistics/services/rollup.job';
import { createCall, newUserIds } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { ChatUser } from '../support/messaging';
import { PresenceFixture } from '../support/presence-fixture';
import {
  callFigures,
  countCalls,
  overview,
  advanceMinute,
  repairStatistics,
  reportStreams,
  writeActivity,
} from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

const CALLS = 40;

describe('Statistics on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  const people = new PresenceFixture();
  beforeEach(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    await stopJobs(one, two);
    for (const { app } of [one, two]) await app.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    people.close();
    await two?.close();
    await one?.close();
  });

  const leases = () =>
    one.query("SELECT claim FROM stats_walks WHERE name = 'walker'") as Promise<{ claim: string | null }[]>;

  it('count each call once, dispatched by either', async () => {
    await Promise.all(
      Array.from({ length: CALLS }, async (_, index) => {
        await createCall((index % 2 ? one : two).api, index % 4 < 2 ? 'ended' : 'rejected');
        await Promise.all([countCalls(one), countCalls(two)]);
      }),
    );
    await Promise.all([countCalls(one), countCalls(two)]);
    const { total } = await callFigures(two);
    expect(total).toMatchObject({ created: CALLS, answered: CALLS / 2, rejected: CALLS / 2 });
    expect(await repairStatistics(one)).toEqual([]);
  });

  it('count each message and each user once, during rollups on both, and after a takeover of the lease', async () => {
    const [ann, ben] = (await ChatUser.signInAll(one.api, newUserIds(2))) as [ChatUser, ChatUser];
    const chat = await ann.openSingle(ben.id);
    for (let index = 0; index < 20; index += 1) await ann.send(chat, `${index}`);
    await advanceMinute(one, two);
    expect((await overview(one)).today).toMatchObject({ messages: 20, new_users: 2 });
    const [{ claim: first } = { claim: null }] = await leases();
    await ben.send(chat, 'one more');
    // The lease holder does not renew for half a minute, and then continues its rollup.
    one.clock.advance(31);
    await two.app.get(RollupJob).run();
    expect((await leases())[0]?.claim).not.toBe(first);
    one.clock.advance(61);
    await Promise.all([one, two].map(({ app }) => app.get(RollupJob).run()));
    // The new lease holder first reads the range that it has to count.
    for (let minute = 0; minute < 2; minute += 1) await advanceMinute(two);
    expect((await overview(one)).today.messages).toBe(21);
    expect(await repairStatistics(two)).toEqual([]);
  });

  it('count messages once also when both consider themselves the lease holder', async () => {
    const [ann, ben] = (await ChatUser.signInAll(one.api, newUserIds(2))) as [ChatUser, ChatUser];
    const chat = await ann.openSingle(ben.id);
    const tick = async (): Promise<void> => {
      for (const { app } of [one, two]) {
        // Ends the lease of the other instance.
        await app.get(DataSource).query('UPDATE stats_walks SET lease_until = NULL');
        await app.get(RollupJob).run();
      }
    };
    await tick();
    for (let index = 0; index < 30; index += 1) await ann.send(chat, `${index}`);
    await tick();
    one.clock.advance(61);
    await Promise.all([tick(), tick()]);
    expect((await overview(one)).today.messages).toBe(30);
  });

  it('hand the rollup over when an instance stops', async () => {
    await advanceMinute(two);
    await two.app.close();
    const [ann, ben] = (await ChatUser.signInAll(one.api, newUserIds(2))) as [ChatUser, ChatUser];
    await ann.send(await ann.openSingle(ben.id), 'hello');
    await advanceMinute(one);
    expect((await overview(one)).today.messages).toBe(1);
    two = await createTestApp({ database: one.database, clock: one.clock });
  });

  it('count an active user once for concurrent first requests on both', async () => {
    const ids = newUserIds(20);
    for (const { api } of [one, two])
      await Promise.all(ids.map(async (id) => (await api.as({ id })).get('/api/auth/me')));
    await Promise.all([writeActivity(one), writeActivity(two)]);
    expect((await overview(one)).today.active_users).toBe(20);
    expect(await repairStatistics(one)).toEqual([]);
  });

  it('add the streams of both instances while they are alive', async () => {
    const [ann = 0, ben = 0] = newUserIds(2);
    await people.connect(one, ann);
    await people.connect(two, ann);
    await people.connect(two, ben);
    await reportStreams(one, two);
    expect((await overview(one)).now).toMatchObject({ streams: 3, users_online: 2 });
    // The second instance sends no more heartbeats.
    one.clock.advance(26);
    await reportStreams(one);
    expect((await overview(one)).now.streams).toBe(1);
    one.clock.advance(60);
    await reportStreams(one);
    expect(await one.query('SELECT streams FROM instance_streams')).toEqual([{ streams: 1 }]);
  });
});
