import { dataOf } from '../support/messaging';
import { holdPushes, pushAll, register, route } from '../support/push';
import { PushChat } from '../support/push-chat';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { laneOf } from '../../src/push/rules/push-lanes.rules';
import { PushRetention } from '../../src/push/services/push-retention.job';
import { wish } from '../../src/push/store/push-job.store';
import { Transactions } from '../../src/database/transactions';

const RESPONSIVE = { kind: 'webpush', responsive: true } as const;
const UNRESPONSIVE = { kind: 'webpush', responsive: false } as const;

describe('The push queue', () => {
  let fixture: PushChat;
  let test: TestApp;
  beforeAll(async () => {
    fixture = await PushChat.open();
    ({ test } = fixture);
  });
  beforeEach(() => fixture.reset());
  afterAll(() => fixture?.close());

  const admin = () => test.api.as({ id: 1, role: 'admin' });

  const broadcast = async (): Promise<void> => {
    const body = { broadcast: true, type: 'news', title: 'To all', content: '.' };
    await (await admin()).post('/api/admin/notifications', body);
    await route(test);
  };

  /** Fills a lane with pushes to a target that sends none. */
  async function fill(lane: number, count: number): Promise<void> {
    const [due_at, caused_at] = [new Date(START), new Date(START)];
    const expires_at = new Date(due_at.getTime() + 86_400_000);
    const row = { target_id: 0, user_id: 0, type: 'message', lane, due_at, caused_at, expires_at } as const;
    const wishes = Array.from({ length: count }, (_, index) => ({ ...row, topic: `conversation:${index}` }));
    await test.app.get(Transactions).run((em) => wish(em, wishes));
  }

  const healthOf = async ({ api }: TestApp) => {
    const items = dataOf(await (await api.as({ id: 1, role: 'admin' })).get('/api/admin/health')).items;
    return (items as { name: string }[]).find(({ name }) => name === 'push');
  };

  it('takes no further broadcast while more than 10,000 pushes are due', async () => {
    await fill(laneOf(RESPONSIVE, false), 10_001);
    await broadcast();
    expect(await test.query('SELECT type FROM push_fanouts')).toEqual([{ type: 'broadcast' }]);
  });

  it('takes a broadcast while more than 10,000 pushes to unresponsive endpoints are due', async () => {
    await fill(laneOf(UNRESPONSIVE, false), 10_001);
    await broadcast();
    await pushAll(test);
    expect(fixture.pushed()).toMatchObject([{ type: 'notification', title: 'To all' }]);
  });

  it('does not count pushes of a provider that is not configured any more', async () => {
    const { ann, ben, chat, providers } = fixture;
    await ann.send(chat);
    await pushAll(test);
    const { FCM_SERVICE_ACCOUNT: _, ...env } = providers.env;
    const restarted = await createTestApp({ env, database: test.database, clock: test.clock });
    try {
      await holdPushes(restarted);
      await ben.read(chat);
      await pushAll(restarted);
      test.clock.advance(61);
      const due = await test.query('SELECT id FROM push_jobs WHERE due_at IS NOT NULL');
      expect(due).toHaveLength(1);
      expect(await healthOf(restarted)).toMatchObject({ status: 'up' });
      const api = await restarted.api.as({ id: 1, role: 'admin' });
      expect(dataOf(await api.get('/api/admin/push'))).toMatchObject({ due: 0, oldest_seconds: 0 });
    } finally {
      await restarted.close();
    }
  });

  it('deletes due pushes to targets that were deleted while they were queued', async () => {
    const { ann, ben, chat } = fixture;
    const gateway = { kind: 'gateway', token: 'g', provider: 'huawei', terminal_id: 'other' };
    const { id } = await register(ben.api, gateway);
    await ann.send(chat);
    await route(test);
    // The target as routing has read it; its deletion found no push yet.
    await test.query("DELETE FROM push_targets WHERE kind = 'fcm'");
    await test.app.get(PushRetention).trim();
    expect(await test.query('SELECT target_id FROM push_jobs')).toEqual([{ target_id: id }]);
  });

  it.each([
    ['down while a push has waited for more than a minute', RESPONSIVE, 'down', 61],
    ['up while only pushes to unresponsive endpoints wait', UNRESPONSIVE, 'up', 0],
  ])('is %s', async (_, target, status, oldest_seconds) => {
    await fill(laneOf(target, true), 3);
    test.clock.advance(61);
    expect(await healthOf(test)).toMatchObject({ status });
    expect(dataOf(await (await admin()).get('/api/admin/push'))).toMatchObject({ due: 3, oldest_seconds });
  });
});
