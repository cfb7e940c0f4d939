import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { insertDomainEvents } from '../../src/outbox/store/domain-events.store';
import { DomainEventReader, storedEvents } from '../support/domain-events';
import { createTestApp, type TestApp } from '../support/test-app';

const AT = new Date('2026-01-31T08:00:00.000Z');

const events = (...numbers: number[]) =>
  numbers.map((number) => ({
    eventId: `msg_${number}`,
    type: 'device.created' as const,
    subject: `device:${number}`,
    payload: '{}',
    traceparent: null,
    at: AT,
  }));

describe('Positions of domain events', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('are assigned in the order of the commits, without waiting for uncommitted events', async () => {
    const reader = await DomainEventReader.open(test, []);
    const { manager } = test.app.get(DataSource);
    const other = manager.dataSource.createQueryRunner();
    await other.startTransaction();
    try {
      await insertDomainEvents(other.manager, events(1));
      await test.app.get(Transactions).run((em) => insertDomainEvents(em, events(2, 3)));
      await test.app.get(OutboxDispatcher).dispatch();
      expect((await reader.all()).map(({ subject }) => subject)).toEqual(['device:2', 'device:3']);
      await other.commitTransaction();
    } finally {
      await other.release();
    }
    await test.app.get(OutboxDispatcher).dispatch();
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(['device:2', 'device:3', 'device:1']);
    const stored = await storedEvents((sql) => test.query(sql));
    expect(stored.map(({ subject, position }) => [subject, position])).toEqual([
      ['device:1', 2],
      ['device:2', 1],
      ['device:3', 1],
    ]);
  });
});
