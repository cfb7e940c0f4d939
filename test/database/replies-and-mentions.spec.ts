import { DataSource } from 'typeorm';
import { AnswerAndMention1763910000000 } from '../../src/database/migrations/1763910000000-AnswerAndMention';
import { ChatUser } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The migration of replies and mentions', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keeps existing data, and resumes after an interruption', async () => {
    const [ann, ben] = (await ChatUser.signInAll(test.api, [2, 3])) as [ChatUser, ChatUser];
    const group = await ann.createGroup([3]);
    const { id } = await ann.send(group, 'before', { client_msg_id: 'c' });
    const migration = new AnswerAndMention1763910000000();
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      await migration.down(runner);
      // Runs twice, because the first run may have been interrupted at any statement.
      await migration.up(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect(await ben.conversation(group)).toMatchObject({
      last_message_id: id,
      mention_id: null,
      unread_count: 1,
    });
    expect(await ben.message(id)).toMatchObject({
      content: 'before',
      reply_to: null,
      mentions: [],
      mention_all: false,
      attachments: [],
      is_forwarded: false,
      edited_at: null,
    });
    expect(await ann.send(group, 'before', { client_msg_id: 'c' })).toMatchObject({ id });
    const sent = await ann.send(group, 'after', { reply_to_id: id, mentions: [3], mention_all: true });
    expect(await ben.mentionOf(group)).toBe(sent.id);
    await expectConsistentMessaging(test.app.get(DataSource));
  });
});
