import { AsyncLocalStorage } from 'node:async_hooks';
import { Transactions } from '../../src/database/transactions';
import { Inboxes } from '../../src/notifications/services/inboxes';
import { createReaders, recall, sendAnnouncement } from '../support/announcements';
import type { ApiClient } from '../support/api-client';
import { untilLockWait } from '../support/lock-waits';
import {
  getUnreadCount,
  listNotifications,
  listTitles,
  repairCounters,
  untilRecalled,
} from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('A recall on another instance', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  it('waits for an inbox that is being materialised', async () => {
    const admin = await testUser(test.api, { id: 500, role: 'admin' });
    const [reader] = await createReaders(test, 1);
    const { id: userId, api } = reader as { id: number; api: ApiClient };
    const id = await sendAnnouncement(admin, { broadcast: true, title: 'just now' });
    // The interleaved request belongs to another user and must not join this transaction's context.
    const elsewhere = AsyncLocalStorage.snapshot();
    const inboxes = test.app.get(Inboxes);
    let recalled: Promise<unknown> = Promise.resolve();
    let isRecalled = false;
    await test.app.get(Transactions).run(async (em) => {
      await inboxes.deliver(em, await inboxes.lock(em, [userId]));
      const there = await other.api.as({ id: 500, role: 'admin' });
      recalled = elsewhere(() => recall(there, id)).then(() => (isRecalled = true));
      await elsewhere(() => untilLockWait(other));
      expect(isRecalled).toBe(false);
    });
    await recalled;
    await untilRecalled(test);
    expect(await listTitles(api)).not.toContain('just now');
    expect((await getUnreadCount(api)).count).toBe((await listNotifications(api)).total);
    expect(await repairCounters(test)).toEqual([]);
  });
});
