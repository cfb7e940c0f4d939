import { DataSource } from 'typeorm';
import { ChatUser, repairConversationCounts } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The repair of conversation counts', () => {
  let test: TestApp;
  let ann: ChatUser;
  beforeEach(async () => {
    test = await createTestApp();
    [ann] = (await ChatUser.signInAll(test.api, [1, 2, 3])) as [ChatUser];
    await ann.createGroup([2, 3]);
    await ann.createGroup([2]);
    const chat = await ann.openSingle(3);
    await ann.send(chat);
    await ann.settings(chat, { hidden: true });
  });
  afterEach(() => test?.close());

  const repair = () => repairConversationCounts(test);

  it('reports and corrects each wrong count once', async () => {
    await test.query("UPDATE conversation_counts SET total = 7 WHERE user_id = 1 AND type = 'group'");
    await test.query('DELETE FROM conversation_counts WHERE user_id = 2');
    await test.query("INSERT INTO conversation_counts (user_id, type, total) VALUES (9, 'single', -1)");
    await test.query(
      "UPDATE conversation_counts SET hidden = 0, unread = 5 WHERE type = 'single' AND user_id <> 9",
    );
    expect((await ann.list()).pagination.total).toBe(8);
    expect(await repair()).toEqual([
      { userId: 1, counter: 'total of "group" conversations', stored: 7, actual: 2 },
      { userId: 1, counter: 'hidden of "single" conversations', stored: 0, actual: 1 },
      { userId: 1, counter: 'unread of "single" conversations', stored: 5, actual: 0 },
      { userId: 2, counter: 'total of "group" conversations', stored: 0, actual: 2 },
      { userId: 3, counter: 'unread of "single" conversations', stored: 5, actual: 1 },
      { userId: 9, counter: 'total of "single" conversations', stored: -1, actual: 0 },
    ]);
    expect(await repair()).toEqual([]);
    expect((await ann.list()).pagination.total).toBe(2);
    await expectConsistentMessaging(test.app.get(DataSource));
  });
});
