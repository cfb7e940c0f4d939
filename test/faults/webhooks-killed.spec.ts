import { createTestDatabase, type TestDatabase } from '../support/database';
import { FakeClock } from '../support/fake-clock';
import { dataOf } from '../support/messaging';
import { query } from '../support/past-the-service';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp } from '../support/test-app';
import {
  type Endpoint,
  Receiver,
  route,
  subscribe,
  verified,
  WEBHOOKS,
  withStatus,
} from '../support/webhooks';

const EVENTS = Array.from({ length: 20 }, (_, index) => `msg_${index}`);
/** Attempts of one endpoint that an instance has under way. */
const UNDER_WAY = 5;
/** The processes' own: what is weeks old is not kept. */
const NOW = new Date().toISOString();

/** An endpoint, and events that are held for it: an application that can sign nothing has routed them. */
async function heldEvents(database: TestDatabase, url: string): Promise<Endpoint> {
  const signing = await createTestApp({ database, env: WEBHOOKS, clock: new FakeClock(NOW) });
  const endpoint = await subscribe(await signing.api.as({ id: 1, role: 'admin' }), { url });
  await signing.close();
  const mute = await createTestApp({ database, clock: new FakeClock(NOW) });
  await route(mute.app, ...EVENTS.map((id) => ({ id })));
  await mute.close();
  return endpoint;
}

describe('Webhooks, when an instance is killed while it delivers', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let survivor: ServiceProcess | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await Receiver.open();
  });
  afterAll(async () => {
    await survivor?.stop();
    await receiver.close();
    await database.drop();
  });

  it('all arrive, and those that were under way arrive again as they were', async () => {
    const endpoint = await heldEvents(database, receiver.url);
    // Nobody answers, until the instance is dead.
    receiver.answering = () => undefined;
    const victim = await ServiceProcess.start(database.url, WEBHOOKS);
    const path = `/api/admin/webhooks/${endpoint.id}`;
    const replayed = await victim.send(1, 'POST', `${path}/replay`, { since: NOW }, 'admin');
    expect(replayed.data).toEqual({ queued: 20 });
    await eventually(
      async () => receiver.received.length,
      (count) => count >= UNDER_WAY,
    );
    await victim.kill();
    const underWay = receiver.eventIds;
    expect(new Set(underWay).size).toBe(UNDER_WAY);

    // The claims of the dead instance have ended when the next one starts. No live instance holds one that this could take away.
    await query(
      database.url,
      `UPDATE webhook_deliveries SET due_at = created_at WHERE event_id IN ('${underWay.join("', '")}')`,
    );
    receiver.answering = withStatus(204);
    survivor = await ServiceProcess.start(database.url, WEBHOOKS);
    await eventually(
      async () => new Set(receiver.eventIds.slice(UNDER_WAY)).size,
      (size) => size === EVENTS.length,
    );
    await eventually(
      async () => dataOf({ body: await survivor?.send(1, 'GET', path, undefined, 'admin') } as never),
      ({ pending }) => pending === 0,
    );
    expect(receiver.eventIds.slice(UNDER_WAY).toSorted()).toEqual(EVENTS.toSorted());
    const again = receiver.received.filter(({ headers }) => underWay.includes(String(headers['webhook-id'])));
    expect(new Set(again.map(({ body }) => body)).size).toBe(UNDER_WAY);
    for (const received of receiver.received) verified(received, endpoint.secret);
    const { data } = await survivor.send(1, 'GET', `${path}/deliveries?status=succeeded`, undefined, 'admin');
    expect(data.items).toHaveLength(EVENTS.length);
  });
});
