import type { ApiClient } from '../support/api-client';
import { dataOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { deliverAll, Receiver, subscribe, verified, WEBHOOKS, withStatus } from '../support/webhooks';

const ROOT = '/api/admin/webhooks';
/** All timers except the interval and the clock that find overdue requests. */
const REAL_TIMERS: FakeableAPI[] = [
  'Date',
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
];

describe('POST /api/admin/webhooks/:id/test', () => {
  let test: TestApp;
  let admin: ApiClient;
  let receiver: Receiver;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(() => receiver.close());
  afterAll(() => test?.close());

  it('sends a test event immediately and returns the result', async () => {
    const endpoint = await subscribe(admin, { url: receiver.url, event_types: ['user.created'], status: 0 });
    const path = `${ROOT}/${endpoint.id}/test`;
    expect(dataOf(await admin.post(path))).toEqual({
      ok: true,
      status_code: 204,
      ms: expect.any(Number),
      error: null,
    });
    expect(verified(receiver.received[0] as never, endpoint.secret)).toMatchObject({
      type: 'webhook.test',
      timestamp: START,
      data: { webhook_id: endpoint.id },
    });
    receiver.respond = withStatus(500, {}, 'not today');
    expect(dataOf(await admin.post(path))).toMatchObject({ ok: false, status_code: 500, error: null });
    test.clock.advance(3_600);
    await deliverAll(test.app);
    expect(receiver.received).toHaveLength(2);
    expect(
      dataOf(await admin.get(`${ROOT}/${endpoint.id}/deliveries?event_type=webhook.test`)).items,
    ).toMatchObject([
      { status: 'failed', attempts: 1, status_code: 500, event_id: receiver.eventIds[1] },
      { status: 'succeeded', attempts: 1, status_code: 204, event_id: receiver.eventIds[0] },
    ]);
    await admin.put(`${ROOT}/${endpoint.id}`, { url: 'http://127.0.0.1:9/' });
    expect(dataOf(await admin.post(path))).toMatchObject({
      ok: false,
      status_code: null,
      error: 'ECONNREFUSED',
    });
  });

  it('sets last_success_at when the test is delivered, and counts no failure when it is not', async () => {
    const { id } = await subscribe(admin, { url: receiver.url, event_types: ['user.created'] });
    const shown = async () => dataOf(await admin.get(`${ROOT}/${id}`));
    receiver.respond = withStatus(500);
    await admin.post(`${ROOT}/${id}/test`);
    expect(await shown()).toMatchObject({ last_success_at: null, last_failure_at: null });
    receiver.respond = withStatus(204);
    const at = test.clock.now().toISOString();
    await admin.post(`${ROOT}/${id}/test`);
    expect(await shown()).toMatchObject({ last_success_at: at, last_failure_at: null });
  });

  it('waits 15 s for the receiver, regardless of REQUEST_TIMEOUT_SECONDS', async () => {
    jest.useFakeTimers({ doNotFake: REAL_TIMERS });
    const limits = jest.spyOn(AbortSignal, 'timeout');
    const env = { ...WEBHOOKS, REQUEST_TIMEOUT_SECONDS: '2' };
    const hasty = await createTestApp({ env, database: test.database, clock: test.clock });
    try {
      const asked = await hasty.api.as({ id: 1, role: 'admin' });
      const { id } = await subscribe(asked, { url: receiver.url });
      receiver.respond = (response) => {
        jest.advanceTimersByTime(14_000);
        response.writeHead(204).end();
      };
      expect(dataOf(await asked.post(`${ROOT}/${id}/test`))).toMatchObject({ ok: true, status_code: 204 });
      expect(limits.mock.calls).toEqual([[15_000]]);
    } finally {
      limits.mockRestore();
      jest.useRealTimers();
      await hasty.close();
    }
  });
});
