import { Transactions } from '../../src/database/transactions';
import { PushRetention } from '../../src/push/services/push-retention.job';
import { updateTarget } from '../../src/push/store/push-target.store';
import { untilLockWait } from '../support/lock-waits';
import { register } from '../support/push';
import { PushChat } from '../support/push-chat';

describe('The trim of push targets', () => {
  let fixture: PushChat;
  beforeAll(async () => {
    fixture = await PushChat.open();
  });
  afterAll(() => fixture?.close());

  it('keeps a target that is registered again at the same time', async () => {
    await fixture.reset();
    const { test, ben } = fixture;
    const { id } = await register(ben.api, { kind: 'fcm', token: 'seldom', terminal_id: 'tablet' });
    await test.query(`UPDATE push_targets SET seen_at = '2025-01-31 08:00:00.000' WHERE id = ${id}`);
    const changed = Promise.withResolvers<void>();
    const registration = test.app.get(Transactions).run(async (em) => {
      await updateTarget(em, id, { seen_at: test.clock.now() });
      changed.resolve();
      await untilLockWait(test);
    });
    await changed.promise;
    await Promise.all([test.app.get(PushRetention).trim(), registration]);
    expect(await test.query(`SELECT id FROM push_targets WHERE id = ${id}`)).toEqual([{ id }]);
  });
});
