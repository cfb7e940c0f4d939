import type { ConversationId, UserId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { deleteFor } from '../../src/messaging/store/deletion.store';
import { requireMembership } from '../../src/messaging/store/membership.store';
import { untilLockWait } from '../support/lock-waits';
import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Deleting a message for oneself', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('holds up reads until its event has the unread count, also after a later message was deleted', async () => {
    const [ann, ben] = await ChatUser.annBenAndCat(test.api);
    const chat = (await ann.openSingle(ben.id)) as ConversationId;
    await ben.send(chat);
    await ann.delete((await ben.send(chat)).id);
    const deleted = Promise.withResolvers<void>();
    const holder = test.app.get(Transactions).run(async (em) => {
      await deleteFor(em, await requireMembership(em, ann.id as UserId, chat), 1);
      deleted.resolve();
      await untilLockWait(test);
    });
    await deleted.promise;
    expect(await Promise.all([ann.read(chat), holder])).toEqual([0, undefined]);
  });
});
