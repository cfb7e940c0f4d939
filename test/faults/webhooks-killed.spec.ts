import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { FakeClock } from '../support/fake-clock';
import { dataOf } from '../support/messaging';
import { queryDatabase } from '../support/direct-query';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp } from '../support/test-app';
import {
  type Endpoint,
  Receiver,
  dispatchEvents,
  subscribe,
  verified,
  WEBHOOKS,
  withStatus,
} from '../support/webhooks';

const EVENTS = Array.from({ length: 20 }, (_, index) => `msg_${index}`);
/** Maximum number of concurrent attempts of one endpoint per instance. */
const IN_PROGRESS = 5;
/** The real clock of the processes, because rows that are weeks old are deleted. */
const NOW = new Date().toISOString();

/** An endpoint with held events, which an application without a secret has dispatched. */
async function createHeldEvents(database: TestDatabase, url: string): Promise<Endpoint> {
  const signing = await createTestApp({ database, env: WEBHOOKS, clock: new FakeClock(NOW) });
  const endpoint = await subscribe(await signing.api.as({ id: 1, role: 'admin' }), { url });
  await signing.close();
  const mute = await createTestApp({ database, clock: new FakeClock(NOW) });
  await dispatchEvents(mute.app, ...EVENTS.map((id) => ({ id })));
  await mute.close();
  return endpoint;
}

describe('Webhooks of an instance that is killed during deliveries', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let survivor: ServiceProcess | undefined;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    receiver = await Receiver.open();
  });
  afterAll(async () => {
    await survivor?.stop();
    await receiver.close();
    await database.drop();
  });

  it('all arrive, and those in progress arrive again unchanged', async () => {
    const endpoint = await createHeldEvents(database, receiver.url);
    // The receiver sends no response until the instance is dead.
    receiver.respond = () => undefined;
    const victim = await ServiceProcess.start(database.url, WEBHOOKS);
    const path = `/api/admin/webhooks/${endpoint.id}`;
    const replayed = await victim.send(1, 'POST', `${path}/replay`, { since: NOW }, 'admin');
    expect(replayed.data).toEqual({ queued: 20 });
    await eventually(
      async () => receiver.received.length,
      (count) => count >= IN_PROGRESS,
    );
    await victim.kill();
    const inProgress = receiver.eventIds;
    expect(new Set(inProgress).size).toBe(IN_PROGRESS);

    // The claims of the dead instance have ended when the next one starts. No live instance holds one that this could take away.
    await queryDatabase(
      database.url,
      `UPDATE webhook_deliveries SET due_at = created_at WHERE event_id IN ('${inProgress.join("', '")}')`,
    );
    receiver.respond = withStatus(204);
    survivor = await ServiceProcess.start(database.url, WEBHOOKS);
    await eventually(
      async () => new Set(receiver.eventIds.slice(IN_PROGRESS)).size,
      (size) => size === EVENTS.length,
    );
    await eventually(
      async () => dataOf({ body: await survivor?.send(1, 'GET', path, undefined, 'admin') } as never),
      ({ pending }) => pending === 0,
    );
    expect(receiver.eventIds.slice(IN_PROGRESS).toSorted()).toEqual(EVENTS.toSorted());
    const again = receiver.received.filter(({ headers }) =>
      inProgress.includes(String(headers['webhook-id'])),
    );
    expect(new Set(again.map(({ body }) => body)).size).toBe(IN_PROGRESS);
    for (const received of receiver.received) verified(received, endpoint.secret);
    const { data } = await survivor.send(1, 'GET', `${path}/deliveries?status=succeeded`, undefined, 'admin');
    expect(data.items).toHaveLength(EVENTS.length);
  });
});
