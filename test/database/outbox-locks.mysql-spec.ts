import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { deleteOutboxEvents, insertOutboxEvents } from '../../src/outbox/store/outbox.store';
import { createTestApp, type TestApp } from '../support/test-app';

const AT = new Date('2026-01-31T08:00:00.000Z');
const SOON = new Date('2026-01-31T08:00:30.000Z');

const acts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    event_id: `msg_${n}`,
    type: 'device.created' as const,
    subject: 'device:1',
    payload: '{}',
    created_at: AT,
  }));

describe('Claiming domain events', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('does not wait for uncommitted events of other transactions', async () => {
    const transactions = test.app.get(Transactions);
    const lease = { claim: 'mine', due_at: SOON };
    const ids = await transactions.run((em) => insertOutboxEvents(em, acts(25), lease));
    const other = test.app.get(DataSource).createQueryRunner();
    await other.startTransaction();
    try {
      await insertOutboxEvents(other.manager, acts(10), { claim: 'another', due_at: SOON });
      const taken = await transactions.run(async (em) => {
        await em.query('SET innodb_lock_wait_timeout = 1');
        return deleteOutboxEvents(em, { ids, claim: 'mine' });
      });
      expect(taken).toBe(25);
    } finally {
      await other.rollbackTransaction();
      await other.release();
    }
    expect(await test.query('SELECT id FROM outbox')).toEqual([]);
  });
});
