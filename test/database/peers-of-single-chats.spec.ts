import { DataSource } from 'typeorm';
import { NamePeersOfSingleChats1763700050000 } from '../../src/database/migrations/1763700050000-NamePeersOfSingleChats';
import { ChatUser } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The migration of single chat peers', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('sets both peers of existing single chats, and none in groups', async () => {
    const [ann, ben] = (await ChatUser.signInAll(test.api, [2, 10, 300])) as [ChatUser, ChatUser];
    const chats = [await ann.openSingle(10), await ben.openSingle(300), await ann.openSingle(300)];
    const group = await ann.createGroup([10]);
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      const migration = new NamePeersOfSingleChats1763700050000();
      await migration.down(runner);
      await migration.up(runner);
      // Runs again after an interruption that left the new column.
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    const rows = 'SELECT conversation_id, user_id, peer_id FROM conversation_members';
    expect(await test.query(`${rows} ORDER BY conversation_id, user_id`)).toEqual([
      { conversation_id: chats[0], user_id: 2, peer_id: 10 },
      { conversation_id: chats[0], user_id: 10, peer_id: 2 },
      { conversation_id: chats[1], user_id: 10, peer_id: 300 },
      { conversation_id: chats[1], user_id: 300, peer_id: 10 },
      { conversation_id: chats[2], user_id: 2, peer_id: 300 },
      { conversation_id: chats[2], user_id: 300, peer_id: 2 },
      { conversation_id: group, user_id: 2, peer_id: null },
      { conversation_id: group, user_id: 10, peer_id: null },
    ]);
    await expectConsistentMessaging(test.app.get(DataSource));
  });
});
