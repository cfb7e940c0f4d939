import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { trimHeldDeliveries } from '../../src/webhooks/store/delivery-trim.store';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Held deliveries beyond the limit', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    const rows = [1, 2, 3, 4, 5].map(
      (n) => `(7, 'msg_${n}', 'call.ended', 1, 'held', 0, '2026-01-31 08:00:00')`,
    );
    await test.query(
      `INSERT INTO webhook_deliveries (endpoint_id, event_id, event_type, body_id, status, attempts, created_at)
       VALUES ${rows.join(', ')}`,
    );
  });
  afterAll(() => test?.close());

  const left = async (): Promise<unknown> =>
    ((await test.query('SELECT event_id FROM webhook_deliveries ORDER BY id')) as { event_id: string }[]).map(
      ({ event_id }) => event_id,
    );

  it('are deleted once, also when another instance has just deleted them', async () => {
    const dropped = await test.app.get(Transactions).run((em) => {
      const overtaken = Object.create(em) as EntityManager;
      overtaken.find = async (...asked) => {
        const found = await em.find(...asked);
        await test.query("DELETE FROM webhook_deliveries WHERE event_id IN ('msg_1', 'msg_2', 'msg_3')");
        return found;
      };
      return trimHeldDeliveries(overtaken, 7, { kept: 2, limit: 100 });
    });
    expect(dropped).toBe(0);
    expect(await left()).toEqual(['msg_4', 'msg_5']);
  });
});
