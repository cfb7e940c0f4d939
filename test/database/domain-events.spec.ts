import { DataSource } from 'typeorm';
import { LogDomainEvents1764210000000 } from '../../src/database/migrations/1764210000000-LogDomainEvents';
import { TraceDomainEvents1764460000000 } from '../../src/database/migrations/1764460000000-TraceDomainEvents';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { DomainEventReader } from '../support/domain-events';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The migration of the outbox', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keeps undispatched events in both directions, and resumes after an interruption', async () => {
    await DomainEventReader.open(test);
    const insert = (table: string, columns: string, subject: number, values: string) =>
      test.query(
        `INSERT INTO ${table} (event_id, type, subject, payload, created_at, ${columns})
         VALUES ('msg_${subject}', 'device.created', 'device:${subject}', '{}', '2026-01-31 08:00:00.000', ${values})`,
      );
    const subjects = async (table: string): Promise<string[]> => {
      const rows = (await test.query(`SELECT subject FROM ${table} ORDER BY id`)) as { subject: string }[];
      return rows.map(({ subject }) => subject);
    };
    const migration = new LogDomainEvents1764210000000();
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      // All consumers have handled the first one, and one of them none of the others.
      for (const [subject, position] of [
        [1, '1'],
        [2, '2'],
        [3, '3'],
        [4, 'NULL'],
      ] as const)
        await insert('domain_events', 'position', subject, position);
      await test.query('UPDATE domain_event_positions SET position = 3');
      await test.query("UPDATE domain_event_positions SET position = 1 WHERE name = 'webhooks'");
      await migration.down(runner);
      await migration.down(runner);
      expect(await subjects('outbox')).toEqual(['device:2', 'device:3', 'device:4']);

      // The version before records a domain event and claims it.
      await insert('outbox', 'due_at, claim', 5, "'2026-01-31 08:00:30.000', 'claim'");
      await migration.up(runner);
      await migration.up(runner);
      expect(await subjects('domain_events')).toEqual(['device:2', 'device:3', 'device:4', 'device:5']);
      await new TraceDomainEvents1764460000000().up(runner);
    } finally {
      await runner.release();
    }
    const reader = await DomainEventReader.open(test, [], 'new reader');
    await test.app.get(OutboxDispatcher).dispatch();
    expect((await reader.all()).map(({ subject }) => subject)).toEqual([
      'device:2',
      'device:3',
      'device:4',
      'device:5',
    ]);
    expect(await test.query('SELECT name, position FROM domain_event_positions ORDER BY name')).toEqual([
      { name: 'head', position: 4 },
      { name: 'new reader', position: 4 },
      { name: 'statistics', position: 4 },
      { name: 'webhooks', position: 4 },
    ]);
  });
});
