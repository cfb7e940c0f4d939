import { WebhookDispatcher } from '../../src/webhooks/services/webhook-dispatcher';
import type { ApiClient } from '../support/api-client';
import { dataOf, errorOf } from '../support/messaging';
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
describe('Webhook deliveries', () => {
  let test: TestApp;
  let admin: ApiClient;
  let receiver: Receiver;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    test.clock.set(START);
    receiver = await Receiver.open();
  });
  afterEach(async () => {
    for (const { id } of dataOf(await admin.get(ROOT)).items) await admin.delete(`${ROOT}/${id}`);
    await receiver.close();
  });
  afterAll(() => test?.close());

  const deliveriesOf = async ({ id }: Endpoint, query = '') =>
    dataOf(await admin.get(`${ROOT}/${id}/deliveries${query}`)).items;
  /** Advances the clock and makes the attempts that are due. */
  const wait = async (seconds: number): Promise<void> => {
    test.clock.advance(seconds);
    await deliverAll(test.app);
  };

  it('are attempted ten times on schedule, and then fail', async () => {
    receiver.respond = withStatus(500, {}, 'x'.repeat(600));
    const endpoint = await subscribe(admin, { url: receiver.url });
    await dispatchEvents(test.app, { id: 'msg_e' });
    await deliverAll(test.app);
    const hours = (count: number): number => count * 3_600;
    const waits = [5, 300, 1_800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)];
    for (const [index, seconds] of waits.entries()) {
      const [delivery] = await deliveriesOf(endpoint);
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1, status_code: 500 });
      const waiting = (Date.parse(delivery.next_attempt_at) - test.clock.now().getTime()) / 1000;
      expect(waiting).toBeGreaterThanOrEqual(seconds * 0.8);
      expect(waiting).toBeLessThanOrEqual(seconds * 1.2);
      await wait(waiting - 0.001);
      expect(receiver.received).toHaveLength(index + 1);
      await wait(0.001);
      expect(receiver.received).toHaveLength(index + 2);
    }
    const finished = test.clock.now().toISOString();
    const [{ id }] = await deliveriesOf(endpoint, '?status=failed');
    expect(dataOf(await admin.get(`${ROOT}/${endpoint.id}/deliveries/${id}`))).toMatchObject({
      status: 'failed',
      attempts: 10,
      next_attempt_at: null,
      finished_at: finished,
      response: 'x'.repeat(500),
      payload: { id: 'msg_e', type: 'call.ended', version: '2026-12-01' },
    });
    await wait(hours(1_000));
    expect(receiver.received).toHaveLength(10);
  });

  it('wait at least as long as Retry-After requests', async () => {
    receiver.respond = withStatus(429, { 'retry-after': '120' });
    const endpoint = await subscribe(admin, { url: receiver.url });
    await dispatchEvents(test.app, { id: 'msg_120' });
    await deliverAll(test.app);
    const [{ next_attempt_at }] = await deliveriesOf(endpoint);
    expect(next_attempt_at).toBe(new Date(Date.parse(START) + 120_000).toISOString());
  });

  it.each([
    ['a redirect', withStatus(302, { location: 'http://127.0.0.1:9/' }), 302, null],
    ['a refusal', withStatus(401, {}, 'who are you\0?'), 401, null],
    ['nobody', undefined, null, 'ECONNREFUSED'],
  ])('fail at %s, with the reason', async (_, answering, status_code, error) => {
    const endpoint = await subscribe(admin, {
      url: answering === undefined ? 'http://127.0.0.1:9/' : receiver.url,
    });
    receiver.respond = answering ?? receiver.respond;
    await dispatchEvents(test.app, { id: `msg_${status_code}` });
    await deliverAll(test.app);
    const [delivery] = await deliveriesOf(endpoint);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, status_code, error, finished_at: null });
    expect(dataOf(await admin.get(`${ROOT}/${endpoint.id}`))).toMatchObject({
      pending: 1,
      last_success_at: null,
      last_failure_at: START,
    });
    if (status_code === 401)
      expect(dataOf(await admin.get(`${ROOT}/${endpoint.id}/deliveries/${delivery.id}`)).response).toBe(
        'who are you?',
      );
  });

  it('are limited to five concurrent ones per endpoint, and a slow one delays no other', async () => {
    const slow = await Receiver.open();
    const responses: (() => void)[] = [];
    const all = Promise.withResolvers<void>();
    slow.respond = (response) => {
      responses.push(() => response.writeHead(204).end());
      if (responses.length === 5) all.resolve();
    };
    const endpoint = await subscribe(admin, { url: slow.url, event_types: ['user.created'] });
    await subscribe(admin, { url: receiver.url, event_types: ['call.ended'] });
    await dispatchEvents(
      test.app,
      ...Array.from({ length: 8 }, (_, n) => ({ id: `msg_s${n}`, type: 'user.created' as const })),
    );
    const delivering = deliverAll(test.app);
    await all.promise;
    await dispatchEvents(test.app, ...Array.from({ length: 8 }, (_, n) => ({ id: `msg_f${n}` })));
    const others = deliverAll(test.app);
    while (receiver.received.length < 8) await new Promise(setImmediate);
    expect([slow.received.length, (await deliveriesOf(endpoint, '?status=pending')).length]).toEqual([5, 8]);
    slow.respond = withStatus(204);
    for (const reply of responses) reply();
    await Promise.all([delivering, others]);
    await deliverAll(test.app);
    expect(new Set(slow.eventIds).size).toBe(8);
    expect(await deliveriesOf(endpoint, '?status=succeeded')).toHaveLength(8);
    await slow.close();
  });

  it('are claimed in batches for a fast receiver, and released when it fails', async () => {
    const endpoint = await subscribe(admin, { url: receiver.url });
    const tell = (name: string, count: number): Promise<void> =>
      dispatchEvents(test.app, ...Array.from({ length: count }, (_, n) => ({ id: `msg_${name}${n}` })));
    await tell('first', 1);
    await deliverAll(test.app);
    await tell('next', 60);
    receiver.respond = (response, received) =>
      response.writeHead(received.headers['webhook-id'] === 'msg_next7' ? 500 : 204).end();
    await deliverAll(test.app);
    expect(receiver.received).toHaveLength(61);
    expect(new Set(receiver.eventIds).size).toBe(61);
    expect(await deliveriesOf(endpoint, '?status=pending')).toMatchObject([
      { event_id: 'msg_next7', attempts: 1, status_code: 500 },
    ]);
    expect(await test.query('SELECT id FROM webhook_deliveries WHERE claim IS NOT NULL')).toEqual([]);
  });

  it('have a reserved slot for each endpoint, regardless of hanging ones', async () => {
    const hanging = await Receiver.open();
    const responses: (() => void)[] = [];
    hanging.respond = (response) => void responses.push(() => response.writeHead(204).end());
    for (let count = 0; count < 12; count += 1)
      await subscribe(admin, { url: hanging.url, event_types: ['user.created'] });
    await subscribe(admin, { url: receiver.url, event_types: ['call.ended'] });
    const events = Array.from({ length: 5 }, (_, n) => ({ id: `msg_h${n}`, type: 'user.created' as const }));
    await dispatchEvents(test.app, ...events);
    const delivering = deliverAll(test.app);
    while (responses.length < 49) await new Promise(setImmediate);
    await dispatchEvents(test.app, { id: 'msg_quick' });
    test.app.get(WebhookDispatcher).wake();
    while (receiver.received.length < 1) await new Promise(setImmediate);
    expect([receiver.eventIds, responses.length]).toEqual([['msg_quick'], 49]);
    hanging.respond = withStatus(204);
    for (const reply of responses) reply();
    await delivering;
    await hanging.close();
  });

  it('are listed in pages, by status and type', async () => {
    const endpoint = await subscribe(admin, {
      url: receiver.url,
      event_types: ['call.ended', 'user.created'],
    });
    const events = Array.from({ length: 7 }, (_, n) => ({
      id: `msg_p${n}`,
      type: n % 2 === 0 ? ('call.ended' as const) : ('user.created' as const),
    }));
    for (const event of events) await dispatchEvents(test.app, event);
    await deliverAll(test.app);
    receiver.respond = withStatus(500);
    await dispatchEvents(test.app, { id: 'msg_p7' });
    await deliverAll(test.app);
    const page = async (query: string) => {
      const { items, next_cursor } = dataOf(await admin.get(`${ROOT}/${endpoint.id}/deliveries${query}`));
      return {
        ids: items.map(({ event_id }: { event_id: string }) => event_id.slice(5)).join(''),
        next_cursor,
      };
    };
    expect(await page('')).toEqual({ ids: '76543210', next_cursor: null });
    const first = await page('?limit=3');
    const second = await page(`?limit=3&cursor=${first.next_cursor}`);
    const third = await page(`?limit=3&cursor=${second.next_cursor}`);
    expect([first.ids, second.ids, third]).toEqual(['765', '432', { ids: '10', next_cursor: null }]);
    expect((await page('?event_type=user.created')).ids).toBe('531');
    expect((await page('?status=succeeded&event_type=call.ended')).ids).toBe('6420');
    expect((await page('?status=pending')).ids).toBe('7');
    expect((await page('?status=held')).ids).toBe('');
    for (const [query, message] of [
      ['?cursor=x', 'cursor 取值无效'],
      [`?status=failed&cursor=${first.next_cursor}`, 'cursor 取值无效'],
      ['?limit=201', 'limit 不能大于 200'],
      ['?limit=0', 'limit 不能小于 1'],
      ['?status=lost', 'status 取值无效'],
      ['?event_type=lost', 'event_type 取值无效'],
    ])
      expect(errorOf(await admin.get(`${ROOT}/${endpoint.id}/deliveries${query}`))).toEqual([422, message]);
  });

  it('are sent again on request, under the same id', async () => {
    const endpoint = await subscribe(admin, { url: receiver.url });
    const other = await subscribe(admin, { url: receiver.url, event_types: ['user.created'] });
    await dispatchEvents(test.app, { id: 'msg_g' });
    await deliverAll(test.app);
    const [{ id }] = await deliveriesOf(endpoint);
    const again = `${ROOT}/${endpoint.id}/deliveries/${id}/redeliver`;
    expect((await admin.post(again)).body).toEqual({ code: 0, message: '操作成功', data: null });
    await deliverAll(test.app);
    expect(receiver.eventIds).toEqual(['msg_g', 'msg_g']);
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    const strange = [`${ROOT}/${other.id}/deliveries/${id}`, `${ROOT}/${endpoint.id}/deliveries/999999`];
    for (const path of strange)
      for (const reply of [await admin.get(path), await admin.post(`${path}/redeliver`)])
        expect(errorOf(reply)).toEqual([404, '投递记录不存在']);
  });

  it('are counted in metrics', async () => {
    receiver.respond = withStatus(500);
    const before = await scrape(test.api);
    await subscribe(admin, { url: receiver.url });
    await dispatchEvents(test.app, { id: 'msg_h' });
    await deliverAll(test.app);
    receiver.respond = withStatus(204);
    await dispatchEvents(test.app, { id: 'msg_i' });
    await deliverAll(test.app);
    test.clock.advance(3);
    const after = await scrape(test.api);
    const gained = (result: string): number => {
      const name = `callboard_webhook_attempts_total{result="${result}"}`;
      return (after[name] ?? 0) - (before[name] ?? 0);
    };
    expect([gained('failed'), gained('succeeded')]).toEqual([1, 1]);
    expect(after).toMatchObject({
      callboard_webhook_pending: 1,
      callboard_webhook_oldest_seconds: 0,
      callboard_webhook_disabled: 0,
    });
    receiver.respond = withStatus(204);
    await wait(10);
    expect((await scrape(test.api)).callboard_webhook_pending).toBe(0);
  });
});
