import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { queryDatabase } from '../support/direct-query';
import { presenceItemsOf } from '../support/presence-fixture';
import { ServiceProcess } from '../support/service-process';

describe('Presence after an instance was killed', () => {
  let database: TestDatabase;
  let survivor: ServiceProcess;
  let victim: ServiceProcess;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    survivor = await ServiceProcess.start(database.url);
    victim = await ServiceProcess.start(database.url);
  });
  afterAll(async () => {
    await survivor?.stop();
    await database?.drop();
  });

  /** Sets the last renewal of the instance that serves a user's event stream. */
  const expireInstanceOf = (userId: number, renewedAt: string) =>
    queryDatabase(
      database.url,
      `UPDATE instances SET renewed_at = '${renewedAt}'
       WHERE id IN (SELECT instance_id FROM presence_streams WHERE user_id = ${userId})`,
    );

  it('is offline for its users, last seen at its last renewal', async () => {
    for (const id of [1, 2]) expect((await survivor.send(id, 'GET', '/api/auth/me')).code).toBe(0);
    await survivor.send(1, 'POST', '/api/messages/conversations', { type: 'single', peer_id: 2 });
    const path = '/api/presence/stream?user_ids=2';
    const presence = await EventReader.open(survivor.url, { userId: 1, path });
    await EventReader.open(victim.url, { userId: 2 });
    await presence.atLeast(2);
    await victim.kill();
    await expireInstanceOf(2, '2026-01-31 08:00:00.000');
    await presence.atLeast(3);
    presence.close();
    expect(presenceItemsOf(presence)).toEqual([
      { user_id: 2, online: false, last_seen_at: null },
      { user_id: 2, online: true, last_seen_at: null },
      { user_id: 2, online: false, last_seen_at: '2026-01-31T08:00:00.000Z' },
    ]);
  });
});
