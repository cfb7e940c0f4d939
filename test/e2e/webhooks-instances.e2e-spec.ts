import { WebhookDispatcher } from '../../src/webhooks/services/webhook-dispatcher';
import type { ApiClient } from '../support/api-client';
import { stopJobs } from '../support/jobs';
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

describe('Webhooks on two instances', () => {
  let here: TestApp;
  let there: TestApp;
  let admin: ApiClient;
  let receiver: Receiver;
  let endpoint: Endpoint;
  beforeAll(async () => {
    // A poll that an earlier test has scheduled would claim the deliveries of a later one, so only `deliverAll` polls.
    jest.spyOn(WebhookDispatcher.prototype, 'wake').mockImplementation(() => undefined);
    here = await createTestApp({ env: WEBHOOKS });
    there = await createTestApp({ env: WEBHOOKS, database: here.database, clock: here.clock });
    await stopJobs(here, there);
    admin = await here.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    here.clock.set(START);
    for (const table of ['webhook_deliveries', 'webhook_events', 'webhook_endpoints'])
      await here.query(`DELETE FROM ${table}`);
    receiver = await Receiver.open();
    endpoint = await subscribe(admin, { url: receiver.url });
  });
  afterEach(() => receiver.close());
  afterAll(async () => {
    jest.restoreAllMocks();
    await there?.close();
    await here?.close();
  });

  const both = () => Promise.all([deliverAll(here.app), deliverAll(there.app)]);
  const shown = async () => dataOf(await admin.get(`${ROOT}/${endpoint.id}`));

  it('deliver each event once, from either', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `msg_${index}`);
    await Promise.all([
      dispatchEvents(here.app, ...ids.slice(0, 30).map((id) => ({ id }))),
      dispatchEvents(there.app, ...ids.slice(30).map((id) => ({ id }))),
    ]);
    while ((await shown()).pending > 0) await both();
    expect(receiver.eventIds.toSorted()).toEqual(ids.toSorted());
    for (const received of receiver.received) verified(received, endpoint.secret);
  });

  it('apply creations, changes and rotations of the other', async () => {
    await admin.put(`${ROOT}/${endpoint.id}`, { event_types: ['user.created'] });
    await dispatchEvents(there.app, { id: 'msg_1' }, { id: 'msg_2', type: 'user.created' });
    const { secret } = dataOf(await admin.post(`${ROOT}/${endpoint.id}/secret`));
    await deliverAll(there.app);
    expect(receiver.eventIds).toEqual(['msg_2']);
    for (const one of [endpoint.secret, secret]) verified(receiver.received[0] as never, one);
  });

  it('disable an endpoint once', async () => {
    const people = { account: 'ada', password: 'correct horse', name: 'Ada', role: 'admin' };
    const { id } = dataOf(await admin.post('/api/admin/users', people));
    receiver.respond = withStatus(410);
    await dispatchEvents(here.app, ...Array.from({ length: 10 }, (_, index) => ({ id: `msg_${index}` })));
    await both();
    expect(await shown()).toMatchObject({ status: 0, disabled_reason: 'gone' });
    const { list } = dataOf(
      await (await here.api.as({ id })).get('/api/notifications?type=webhook_disabled'),
    );
    expect(list).toHaveLength(1);
  });

  it('take over deliveries of a stopped instance when their claim expires', async () => {
    await dispatchEvents(here.app, { id: 'msg_1' });
    await here.query(`UPDATE webhook_deliveries SET claim = 'gone', due_at = '2026-01-31 08:00:30.000'`);
    await both();
    here.clock.advance(29.999);
    await both();
    expect(receiver.received).toHaveLength(0);
    here.clock.advance(0.001);
    await both();
    expect(receiver.eventIds).toEqual(['msg_1']);
  });

  it('finish deliveries in progress when one stops', async () => {
    const late = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    receiver.respond = (response) => {
      started.resolve();
      void late.promise.then(() => response.writeHead(204).end());
    };
    const leaving = await createTestApp({ env: WEBHOOKS, database: here.database, clock: here.clock });
    await dispatchEvents(leaving.app, { id: 'msg_1' });
    const delivering = deliverAll(leaving.app);
    await started.promise;
    const closing = leaving.close();
    late.resolve();
    await Promise.all([closing, delivering.catch(() => undefined)]);
    expect(await shown()).toMatchObject({ pending: 0, last_success_at: '2026-01-31T08:00:00.000Z' });
    expect(receiver.eventIds).toEqual(['msg_1']);
  });

  it('record nothing for an expired claim', async () => {
    const late = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    receiver.respond = (response) => {
      started.resolve();
      void late.promise.then(() => response.writeHead(500).end());
    };
    await dispatchEvents(here.app, { id: 'msg_1' });
    const slow = deliverAll(here.app);
    await started.promise;
    here.clock.advance(30);
    receiver.respond = withStatus(204);
    await deliverAll(there.app);
    late.resolve();
    await slow;
    expect(receiver.eventIds).toEqual(['msg_1', 'msg_1']);
    const { items } = dataOf(await admin.get(`${ROOT}/${endpoint.id}/deliveries`));
    expect(items).toMatchObject([{ status: 'succeeded', attempts: 1, status_code: 204 }]);
    expect(await shown()).toMatchObject({
      last_success_at: '2026-01-31T08:00:30.000Z',
      last_failure_at: null,
    });
  });
});
