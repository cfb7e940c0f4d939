import type { ApiClient } from '../support/api-client';
import { dataOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';
import {
  deliverAll,
  type Endpoint,
  Receiver,
  dispatchEvents,
  subscribe,
  verified,
  WEBHOOKS,
  withStatus,
} from '../support/webhooks';

const ROOT = '/api/admin/webhooks';
const MESSAGES = ['message.created', 'message.recalled'];

describe('A webhook delivery', () => {
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

  const deliveriesOf = async ({ id }: Endpoint) => dataOf(await admin.get(`${ROOT}/${id}/deliveries`)).items;
  const wait = async (seconds: number): Promise<void> => {
    test.clock.advance(seconds);
    await deliverAll(test.app);
  };

  it('contains the event, signed, and is the same for every subscriber', async () => {
    const endpoints = [
      await subscribe(admin, { url: receiver.url, event_types: ['call.ended'] }),
      await subscribe(admin, { url: receiver.url, event_types: ['*'] }),
      await subscribe(admin, { url: receiver.url, event_types: ['device.deleted', 'call.created'] }),
    ];
    await dispatchEvents(test.app, { id: 'msg_a', payload: { call: { call_id: 7, status: 'ended' } } });
    await deliverAll(test.app);
    expect(receiver.received).toHaveLength(2);
    for (const { body, headers } of receiver.received) {
      expect(body).toBe(
        '{"id":"msg_a","type":"call.ended","timestamp":"2026-01-31T07:59:59.000Z","version":"2026-12-01",' +
          '"data":{"call":{"call_id":7,"status":"ended"}}}',
      );
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': 'msg_a',
        'webhook-timestamp': '1769846400',
        'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      });
    }
    const secrets = endpoints.slice(0, 2).map(({ secret }) => secret);
    for (const secret of secrets) {
      const mine = receiver.received.filter((one) => verifies(one, secret));
      expect(mine).toHaveLength(1);
    }
    expect(await deliveriesOf(endpoints[0] as Endpoint)).toEqual([
      {
        id: expect.any(Number),
        event_id: 'msg_a',
        event_type: 'call.ended',
        status: 'succeeded',
        attempts: 1,
        status_code: 204,
        error: null,
        ms: expect.any(Number),
        next_attempt_at: null,
        created_at: START,
        finished_at: START,
      },
    ]);
    expect(dataOf(await admin.get(`${ROOT}/${endpoints[0]?.id}`))).toMatchObject({
      pending: 0,
      last_success_at: START,
      last_failure_at: null,
    });
    expect(await deliveriesOf(endpoints[2] as Endpoint)).toEqual([]);
  });

  const verifies = (received: Parameters<typeof verified>[0], secret: string): boolean => {
    try {
      verified(received, secret);
      return true;
    } catch {
      return false;
    }
  };

  it('is signed with both secrets for a day after a rotation, and then with the new one', async () => {
    receiver.respond = withStatus(500);
    const endpoint = await subscribe(admin, { url: receiver.url });
    await dispatchEvents(test.app, { id: 'msg_b' });
    await deliverAll(test.app);
    const second: string = dataOf(await admin.post(`${ROOT}/${endpoint.id}/secret`)).secret;
    for (const seconds of [6, 360, 2_160, 8_640, 21_600]) await wait(seconds);
    const third: string = dataOf(await admin.post(`${ROOT}/${endpoint.id}/secret`)).secret;
    for (const seconds of [43_200, 60_480, 86_400, 103_680]) await wait(seconds);
    const known = receiver.received.map((one) =>
      [endpoint.secret, second, third].map((secret) => verifies(one, secret)),
    );
    const [first, both, newer, last] = [
      [true, false, false],
      [true, true, false],
      [false, true, true],
      [false, false, true],
    ];
    expect(known).toEqual([first, both, both, both, both, both, newer, last, last, last]);
    expect(receiver.eventIds).toEqual(receiver.eventIds.map(() => 'msg_b'));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  });

  it('is signed with the previous secret during a rotation of WEBHOOK_SECRET', async () => {
    const endpoint = await subscribe(admin, { url: receiver.url });
    const env = {
      ...WEBHOOKS,
      WEBHOOK_SECRET: 'another-secret-for-webhooks-of-tests',
      WEBHOOK_SECRET_PREVIOUS: WEBHOOKS.WEBHOOK_SECRET,
    };
    const next = await createTestApp({ env, database: test.database, clock: test.clock });
    const nextAdmin = await next.api.as({ id: 1, role: 'admin' });
    dataOf(await nextAdmin.post(`${ROOT}/${endpoint.id}/test`));
    const rotated: string = dataOf(await nextAdmin.post(`${ROOT}/${endpoint.id}/secret`)).secret;
    dataOf(await nextAdmin.post(`${ROOT}/${endpoint.id}/test`));
    await next.close();
    const [before, after] = receiver.received.map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect([before?.length, after?.length]).toEqual([2, 4]);
    expect(receiver.received.map((one) => verifies(one, endpoint.secret))).toEqual([true, true]);
    expect(receiver.received.map((one) => verifies(one, rotated))).toEqual([false, true]);
  });

  it('has no content unless it is requested', async () => {
    const payload = { message_id: 3, conversation_id: 2, sender_id: 1, message_type: 'text' };
    const content = { content: 'a word between us', extra: { name: 'a.pdf' } };
    const without = await subscribe(admin, { url: receiver.url, event_types: MESSAGES });
    await dispatchEvents(test.app, {
      id: 'msg_c',
      type: 'message.created',
      payload: { ...payload, ...content },
    });
    await deliverAll(test.app);
    expect(receiver.events[0]?.data).toEqual(payload);
    expect(JSON.stringify(await test.query('SELECT * FROM webhook_events'))).not.toContain(
      'a word between us',
    );
    await subscribe(admin, { url: receiver.url, event_types: MESSAGES, include_content: true });
    await dispatchEvents(test.app, {
      id: 'msg_d',
      type: 'message.recalled',
      payload: { ...payload, ...content },
    });
    await deliverAll(test.app);
    const data = receiver.events.slice(1).map((event) => event.data);
    expect(data).toHaveLength(2);
    expect(data).toEqual(expect.arrayContaining([payload, { ...payload, ...content }]));
    expect(await deliveriesOf(without)).toHaveLength(2);
  });
});
