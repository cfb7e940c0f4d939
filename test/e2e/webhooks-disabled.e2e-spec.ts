import { PASSWORD } from '../support/accounts';
import { Transactions } from '../../src/database/transactions';
import { WebhookHolding } from '../../src/webhooks/services/webhook-holding';
import { WebhookRetention } from '../../src/webhooks/services/webhook-retention.job';
import { holdBatch, sendAgain } from '../../src/webhooks/store/delivery.store';
import type { ApiClient } from '../support/api-client';
import { dataOf } from '../support/messaging';
import { scrape } from '../support/metrics';
import { createTestApp, START, type TestApp } from '../support/test-app';
import {
  deliverAll,
  type Endpoint,
  Receiver,
  dispatchEvents,
  subscribe,
  WEBHOOKS,
  withStatus,
} from '../support/webhooks';

const ROOT = '/api/admin/webhooks';
const DAY = 86_400;

describe('A disabled webhook endpoint', () => {
  let test: TestApp;
  let admin: ApiClient;
  let receiver: Receiver;
  let endpoint: Endpoint;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  beforeEach(async () => {
    test.clock.set(START);
    for (const table of ['webhook_deliveries', 'webhook_events', 'webhook_endpoints'])
      await test.query(`DELETE FROM ${table}`);
    receiver = await Receiver.open();
    endpoint = await subscribe(admin, { url: receiver.url });
  });
  afterEach(() => receiver.close());
  afterAll(() => test?.close());

  const path = (): string => `${ROOT}/${endpoint.id}`;
  const shown = async () => dataOf(await admin.get(path()));
  const deliveries = async (query = '') => dataOf(await admin.get(`${path()}/deliveries${query}`)).items;
  const statuses = async (): Promise<string[]> =>
    (await deliveries()).map(({ event_id, status }: Record<string, string>) => `${event_id} ${status}`);
  const hold = () => test.app.get(WebhookHolding).hold();
  const wait = async (seconds: number): Promise<void> => {
    test.clock.advance(seconds);
    await deliverAll(test.app);
  };

  it('after a 410 notifies every administrator, holds deliveries, and resumes on request', async () => {
    const people = [];
    for (const [account, role] of [
      ['ada', 'admin'],
      ['ben', 'admin'],
      ['cid', 'user'],
    ])
      people.push(
        dataOf(await admin.post('/api/admin/users', { account, password: PASSWORD, name: account, role })),
      );
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    receiver.respond = withStatus(410);
    await dispatchEvents(test.app, { id: 'msg_2' });
    await deliverAll(test.app);
    expect(await shown()).toMatchObject({ status: 0, disabled_reason: 'gone', last_success_at: START });
    expect((await scrape(test.api)).callboard_webhook_disabled).toBe(1);
    const inboxes = await Promise.all(
      people.map(async ({ id }) => dataOf(await (await test.api.as({ id })).get('/api/notifications')).list),
    );
    const notice = {
      type: 'webhook_disabled',
      title: '回调地址已停用',
      content: `127.0.0.1:${receiver.port} 返回 410，已停用；启用并重放之前，新事件将被保留。`,
      data: { webhook_id: endpoint.id, reason: 'gone' },
    };
    expect(inboxes).toEqual([[expect.objectContaining(notice)], [expect.objectContaining(notice)], []]);

    await hold();
    await dispatchEvents(test.app, { id: 'msg_3' });
    await wait(DAY);
    expect(await statuses()).toEqual(['msg_3 held', 'msg_2 held', 'msg_1 succeeded']);
    expect(receiver.eventIds).toEqual(['msg_1', 'msg_2']);

    expect(dataOf(await admin.post(`${path()}/replay`, { since: START }))).toEqual({ queued: 0 });
    receiver.respond = withStatus(204);
    expect(dataOf(await admin.put(path(), { status: 1 }))).toMatchObject({
      status: 1,
      disabled_reason: null,
    });
    await wait(DAY);
    expect(receiver.received).toHaveLength(2);
    expect(dataOf(await admin.post(`${path()}/replay`, { since: START }))).toEqual({ queued: 2 });
    await deliverAll(test.app);
    expect(receiver.eventIds.slice(2).toSorted()).toEqual(['msg_2', 'msg_3']);
    expect(await statuses()).toEqual(['msg_3 succeeded', 'msg_2 succeeded', 'msg_1 succeeded']);
  });

  it('is disabled after five days without a success and twenty attempts', async () => {
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    receiver.respond = withStatus(500);
    // Ten attempts of each of three deliveries, within four days.
    await dispatchEvents(test.app, { id: 'msg_2' }, { id: 'msg_3' });
    await deliverAll(test.app);
    for (const seconds of [6, 360, 2_160, 8_640, 21_600, 43_200, 60_480, 86_400, 103_680]) {
      await wait(seconds);
      await wait(1);
    }
    const { length: attempts } = receiver.received.slice(1);
    expect(attempts).toBe(20);
    expect(await shown()).toMatchObject({ status: 1, disabled_reason: null });
    test.clock.set('2026-02-05T07:59:59.999Z');
    await dispatchEvents(test.app, { id: 'msg_4' });
    await deliverAll(test.app);
    expect(await shown()).toMatchObject({ status: 1, disabled_reason: null });
    test.clock.set('2026-02-05T08:00:10.000Z');
    await deliverAll(test.app);
    expect(await shown()).toMatchObject({ status: 0, disabled_reason: 'failing' });
  });

  it('is not disabled with fewer attempts, or after a success', async () => {
    receiver.respond = withStatus(500);
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    for (let index = 0; index < 9; index += 1) await wait(2 * DAY);
    expect(receiver.received).toHaveLength(10);
    expect(await shown()).toMatchObject({ status: 1, disabled_reason: null });
    receiver.respond = withStatus(204);
    await dispatchEvents(test.app, { id: 'msg_2' });
    await deliverAll(test.app);
    receiver.respond = withStatus(500);
    await dispatchEvents(test.app, { id: 'msg_3' });
    await deliverAll(test.app);
    for (let index = 0; index < 9; index += 1) await wait(2 * DAY);
    expect(receiver.received).toHaveLength(21);
    expect(await shown()).toMatchObject({ status: 1, disabled_reason: null });
  });

  it('that was disabled by an administrator holds pending deliveries and no new ones', async () => {
    receiver.respond = withStatus(500);
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    await admin.put(path(), { status: 0 });
    await dispatchEvents(test.app, { id: 'msg_2' });
    await hold();
    await wait(DAY);
    expect(await statuses()).toEqual(['msg_1 held']);
    const [{ id }] = await deliveries();
    await admin.post(`${path()}/deliveries/${id}/redeliver`);
    await deliverAll(test.app);
    expect([await statuses(), receiver.received.length]).toEqual([['msg_1 held'], 1]);
    await admin.put(path(), { status: 1 });
    await dispatchEvents(test.app, { id: 'msg_3' });
    receiver.respond = withStatus(204);
    await deliverAll(test.app);
    expect(await statuses()).toEqual(['msg_3 succeeded', 'msg_1 held']);
  });

  it('without WEBHOOK_SECRET holds all deliveries, and resumes with one', async () => {
    const without = await createTestApp({
      env: { OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32' },
      database: test.database,
      clock: test.clock,
    });
    await dispatchEvents(without.app, { id: 'msg_1' });
    await deliverAll(without.app);
    await without.close();
    await deliverAll(test.app);
    expect([await statuses(), receiver.received.length]).toEqual([['msg_1 held'], 0]);
    expect(dataOf(await admin.post(`${path()}/replay`, { since: START }))).toEqual({ queued: 1 });
    await deliverAll(test.app);
    expect(receiver.eventIds).toEqual(['msg_1']);
  });

  it('replays no test', async () => {
    receiver.respond = withStatus(500);
    await admin.post(`${path()}/test`);
    receiver.respond = withStatus(204);
    expect(dataOf(await admin.post(`${path()}/replay`, { since: START }))).toEqual({ queued: 0 });
  });

  it('replays failed and held deliveries since a given time only', async () => {
    receiver.respond = withStatus(410);
    for (const id of ['msg_1', 'msg_2', 'msg_3']) {
      await dispatchEvents(test.app, { id });
      await deliverAll(test.app);
      test.clock.advance(60);
    }
    await hold();
    receiver.respond = withStatus(204);
    await admin.put(path(), { status: 1 });
    await dispatchEvents(test.app, { id: 'msg_4' });
    await deliverAll(test.app);
    expect(dataOf(await admin.post(`${path()}/replay`, { since: '2026-01-31T08:01:00Z' }))).toEqual({
      queued: 2,
    });
    await deliverAll(test.app);
    expect(await statuses()).toEqual(['msg_4 succeeded', 'msg_3 succeeded', 'msg_2 succeeded', 'msg_1 held']);
    expect((await admin.post(`${path()}/replay`, {})).body.message).toBe('since 字段不能为空');
    expect((await admin.post(`${path()}/replay`, { since: 'today' })).body.message).toBe('since 取值无效');
  });

  it('sends a delivery again once for two replays at the same time', async () => {
    receiver.respond = withStatus(410);
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    await hold();
    const [delivery] = (await test.query('SELECT id, status FROM webhook_deliveries')) as [
      { id: number; status: string },
    ];
    expect(delivery.status).toBe('held');
    // Both have read the ids of the held deliveries before one of them sends these again.
    const replay = () =>
      test.app
        .get(Transactions)
        .run((em) =>
          sendAgain(em, [delivery.id], { status: 'pending', now: test.clock.now(), from: 'held' }),
        );
    expect([await replay(), await replay()]).toEqual([1, 0]);
  });

  it('holds no further deliveries once it is enabled again, also in a run that began before', async () => {
    await dispatchEvents(test.app, { id: 'msg_1' });
    const holdNext = () =>
      test.app
        .get(Transactions)
        .run((em) => holdBatch(em, endpoint.id, { now: test.clock.now(), limit: 500, every: false }));
    expect([await holdNext(), await statuses()]).toEqual([0, ['msg_1 pending']]);
    await admin.put(path(), { status: 0 });
    expect([await holdNext(), await statuses()]).toEqual([1, ['msg_1 held']]);
  });

  it('holds a hundred thousand deliveries, and drops the oldest', async () => {
    await admin.put(path(), { status: 0 });
    const { id } = endpoint;
    for (let from = 0; from < 100_003; from += 500) {
      const rows = Array.from({ length: Math.min(500, 100_003 - from) }, (_, index) => {
        const values = `'msg_${from + index}', 'call.ended', 1, 'held', 0, '2026-01-31 08:00:00.000'`;
        return `(${id}, ${values})`;
      });
      await test.query(
        `INSERT INTO webhook_deliveries (endpoint_id, event_id, event_type, body_id, status, attempts, created_at)
         VALUES ${rows.join(', ')}`,
      );
    }
    const countAndFirst = async (): Promise<[count: number, first: number]> => {
      const sql = 'SELECT COUNT(*) AS count, MIN(id) AS first FROM webhook_deliveries';
      const [row] = (await test.query(sql)) as { count: number | string; first: number | string }[];
      return [Number(row?.count), Number(row?.first)];
    };
    const [, first] = await countAndFirst();
    await test.app.get(WebhookRetention).trim();
    expect(await countAndFirst()).toEqual([100_000, first + 3]);
  });
});

describe('Finished deliveries', () => {
  it('are kept for fourteen days, and deleted with their endpoint', async () => {
    const test = await createTestApp({ env: WEBHOOKS });
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    const receiver = await Receiver.open();
    const [kept, deleted] = [
      await subscribe(admin, { url: receiver.url }),
      await subscribe(admin, { url: receiver.url }),
    ];
    await dispatchEvents(test.app, { id: 'msg_1' });
    await deliverAll(test.app);
    test.clock.advance(DAY);
    await dispatchEvents(test.app, { id: 'msg_2' });
    await deliverAll(test.app);
    const trim = () => test.app.get(WebhookRetention).trim();
    const counts = async () => {
      const tables = ['webhook_deliveries', 'webhook_events', 'webhook_endpoints'];
      const rows = await Promise.all(tables.map((table) => test.query(`SELECT id FROM ${table}`)));
      return rows.map(({ length }) => length);
    };
    test.clock.set('2026-02-14T08:00:00.000Z');
    await trim();
    expect(await counts()).toEqual([4, 2, 2]);
    test.clock.advance(0.001);
    await trim();
    expect(await counts()).toEqual([2, 1, 2]);
    await admin.delete(`${ROOT}/${deleted.id}`);
    await trim();
    expect(await counts()).toEqual([1, 1, 1]);
    expect(dataOf(await admin.get(`${ROOT}/${kept.id}/deliveries`)).items).toMatchObject([
      { event_id: 'msg_2' },
    ]);
    await receiver.close();
    await test.close();
  });
});
