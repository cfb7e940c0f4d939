import { DataSource } from 'typeorm';
import { TIMINGS } from '../../src/common/timings';
import type { UserId } from '../../src/common/ids';
import { NotificationsService } from '../../src/notifications/services/notifications.service';
import { newUserIds } from '../support/calls';
import { ChatUser } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createUser, sendNotification, getUnreadCount } from '../support/notifications';
import { sendConcurrently } from '../support/sending';
import { createTestApp, type TestApp } from '../support/test-app';
import { NEVER_MS } from '../support/timings';

/** More than the number of concurrent transactions of an instance, so that some share one. */
const MANY = 12;

describe('Lock wait time-outs', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    // The locked transactions are retried until all others have ended.
    jest.replaceProperty(TIMINGS, 'retryTransactionsForMs', NEVER_MS);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await test?.close();
  });

  /** Locks the rows of a statement on another connection until `release`. */
  async function hold(sql: string, parameters: unknown[]): Promise<{ release: () => Promise<void> }> {
    const runner = test.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query(sql, parameters);
    return {
      release: async () => {
        await runner.rollbackTransaction();
        await runner.release();
      },
    };
  }
  /** Asserts that the last item ends after all others, once `release` was called, and returns all results. */
  async function lastAfterOthers<T>(works: Promise<T>[], release: () => Promise<void>): Promise<T[]> {
    const last = works.pop() as Promise<T>;
    let isLastOver = false;
    void last.finally(() => (isLastOver = true)).catch(() => undefined);
    const others = await Promise.all(works);
    expect(isLastOver).toBe(false);
    await release();
    return [...others, await last];
  }

  it('delay sends to the locked conversation, but no sends of the same batch', async () => {
    const [ann, ...others] = await ChatUser.signInAll(test.api, newUserIds(MANY + 1));
    const groups = await Promise.all(others.map((other) => other.createGroup([ann?.id ?? 0])));
    const { release } = await hold('SELECT id FROM conversations WHERE id = ? FOR UPDATE', [groups.at(-1)]);
    const sends = others.map(({ id }, index) =>
      sendConcurrently(test, groups[index] ?? 0, [{ senderId: id, content: 'hi' }]),
    );
    const outcomes = await lastAfterOthers(sends, release);
    expect(outcomes).toEqual(others.map(() => [expect.any(Number)]));
    expect(await Promise.all(groups.map(async (group) => (await ann?.peek(group))?.length))).toEqual(
      groups.map(() => 1),
    );
    await expectConsistentMessaging(test.app.get(DataSource));
  });

  it('delay updates of the locked inbox, but no updates of the same batch', async () => {
    const admin = await test.api.as({ id: 1, role: 'admin' });
    const users = await Promise.all(Array.from({ length: MANY }, () => createUser(test.api)));
    await sendNotification(admin, { user_ids: users.map(({ id }) => id), type: 'a', title: 'News' });
    const service = test.app.get(NotificationsService);
    const { release } = await hold('SELECT user_id FROM notification_inboxes WHERE user_id = ? FOR UPDATE', [
      users.at(-1)?.id,
    ]);
    const marks = users.map(({ id }) => service.markAllRead(id as UserId));
    expect(await lastAfterOthers(marks, release)).toEqual(users.map(() => ({ affected: 1 })));
    expect(await Promise.all(users.map(async ({ api }) => (await getUnreadCount(api)).count))).toEqual(
      users.map(() => 0),
    );
  });
});
