import { createTestDatabase, type TestDatabase } from '../support/database';
import { EventReader } from '../support/event-reader';
import type { PresenceItem } from '../support/people';
import { saidBy } from '../support/presence';
import { ServiceProcess } from '../support/service-process';

const WITHIN_MS = 30_000;
/** Renewals are five seconds apart. */
const RENEWAL_MS = 5_000;

describe('Presence, when an instance is killed', () => {
  let database: TestDatabase;
  let survivor: ServiceProcess;
  let victim: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    survivor = await ServiceProcess.start(database.url);
    victim = await ServiceProcess.start(database.url);
  });
  afterAll(async () => {
    await survivor?.stop();
    await database?.drop();
  });

  it('tells within 30 s that its users are gone, and that they were seen last when it renewed last', async () => {
    for (const id of [1, 2]) expect((await survivor.send(id, 'GET', '/api/auth/me')).code).toBe(0);
    await survivor.send(1, 'POST', '/api/messages/conversations', { type: 'single', peer_id: 2 });
    const path = '/api/presence/stream?user_ids=2';
    const watching = await EventReader.open(survivor.url, { userId: 1, path });
    await EventReader.open(victim.url, { userId: 2 });
    await watching.atLeast(2);
    const killedAt = Date.now();
    await victim.kill();
    await watching.until(() => watching.frames.length >= 3, WITHIN_MS);
    watching.close();
    const [first, second, third] = saidBy(watching) as [PresenceItem, PresenceItem, PresenceItem];
    expect([first, second]).toEqual([
      { user_id: 2, online: false, last_seen_at: null },
      { user_id: 2, online: true, last_seen_at: null },
    ]);
    const seen = Date.parse(third.last_seen_at ?? '');
    expect([third.online, seen <= killedAt + 500, seen > killedAt - RENEWAL_MS - 3_000]).toEqual([
      false,
      true,
      true,
    ]);
  }, 60_000);
});
