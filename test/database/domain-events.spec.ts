import { DataSource } from 'typeorm';
import { LogDomainEvents1764210000000 } from '../../src/database/migrations/1764210000000-LogDomainEvents';
import { TraceDomainEvents1764460000000 } from '../../src/database/migrations/1764460000000-TraceDomainEvents';
import { BatchDomainEvents1764470000000 } from '../../src/database/migrations/1764470000000-BatchDomainEvents';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { DomainEventReader } from '../support/domain-events';
import { stopJobs } from '../support/jobs';
import { createTestApp, type TestApp } from '../support/test-app';

const AT = '2026-01-31 08:00:00.000';
const PAYLOAD = '{"name":"Tür \\"1\\""}';

describe('The migrations of the outbox', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    // Jobs would number the events before the second reader opens, which starts after the newest one.
    await stopJobs(test);
  });
  afterAll(() => test?.close());

  it('keep undispatched events in both directions, and resume after an interruption', async () => {
    await DomainEventReader.open(test);
    const run = <T>(sql: string, parameters?: unknown[]): Promise<T[]> =>
      test.app.get(DataSource).query<T[]>(sql, parameters);
    const record = (position: number | null, ...ids: number[]) => {
      const events = ids.map((id) => ({
        eventId: `msg_${id}`,
        type: 'device.created',
        subject: `device:${id}`,
        payload: PAYLOAD,
        traceparent: null,
        at: new Date(`${AT}Z`),
      }));
      const sql = 'INSERT INTO domain_events (position, events, created_at) VALUES (?, ?, ?)';
      return run(sql, [position, JSON.stringify(events), AT]);
    };
    const events = (table: string) =>
      run<{ subject: string; payload: string }>(`SELECT subject, payload FROM ${table} ORDER BY id`);
    const devices = (...ids: number[]) => ids.map((id) => ({ subject: `device:${id}`, payload: PAYLOAD }));
    const [logging, tracing, batching] = [
      new LogDomainEvents1764210000000(),
      new TraceDomainEvents1764460000000(),
      new BatchDomainEvents1764470000000(),
    ];
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      // All consumers have handled the first row, and one consumer none of the others.
      await record(1, 1);
      await record(2, 2, 3);
      await record(3, 4);
      await record(null, 5, 6);
      await test.query('UPDATE domain_event_positions SET position = 3');
      await test.query("UPDATE domain_event_positions SET position = 1 WHERE name = 'webhooks'");
      await batching.down(runner);
      await batching.down(runner);
      expect(await events('domain_events')).toEqual(devices(2, 3, 4, 5, 6));
      await logging.down(runner);
      await logging.down(runner);
      expect(await events('outbox')).toEqual(devices(2, 3, 4, 5, 6));

      // The previous version records a domain event and claims it.
      await run(
        `INSERT INTO outbox (event_id, type, subject, payload, created_at, due_at, claim)
         VALUES ('msg_7', 'device.created', 'device:7', ?, ?, ?, 'claim')`,
        [PAYLOAD, AT, AT],
      );
      await logging.up(runner);
      await logging.up(runner);
      expect(await events('domain_events')).toEqual(devices(2, 3, 4, 5, 6, 7));
      await tracing.up(runner);
      await batching.up(runner);
      await batching.up(runner);
    } finally {
      await runner.release();
    }
    const reader = await DomainEventReader.open(test, [], 'new reader');
    await test.app.get(OutboxDispatcher).dispatch();
    const dispatched = await reader.all();
    expect(dispatched.map(({ subject }) => subject)).toEqual(
      devices(2, 3, 4, 5, 6, 7).map(({ subject }) => subject),
    );
    expect(dispatched.at(-1)).toEqual({
      eventId: 'msg_7',
      type: 'device.created',
      subject: 'device:7',
      payload: { name: 'Tür "1"' },
      traceparent: null,
      at: new Date(`${AT}Z`),
    });
    expect(await test.query('SELECT name, position FROM domain_event_positions ORDER BY name')).toEqual([
      { name: 'head', position: 6 },
      { name: 'new reader', position: 6 },
      { name: 'statistics', position: 6 },
      { name: 'webhooks', position: 6 },
    ]);
  });
});
