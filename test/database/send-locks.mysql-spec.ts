import { DataSource, type EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { MessageWriter } from '../../src/messaging/services/message-writer';
import { NoticeWriter } from '../../src/messaging/services/notice-writer';
import { ReadPositionsService } from '../../src/messaging/services/read-positions.service';
import { lockConversation, requireMembership } from '../../src/messaging/store/membership.store';
import { untilLockWait } from '../support/lock-waits';
import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import type { Message } from '../support/messaging-types';
import { createTestApp, type TestApp } from '../support/test-app';

/** One statement locks the conversation and reads its members, and its subqueries start before the wait. */
describe('A send that waits for the lock of its conversation', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let chat: ConversationId;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
    chat = (await ann.openSingle(ben.id)) as ConversationId;
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  /** Sends as Ben while another transaction locks the chat, which it changes once the send waits. */
  async function sendAfter(change: (em: EntityManager) => Promise<unknown>): Promise<Message> {
    const locked = Promise.withResolvers<void>();
    const holder = test.app.get(Transactions).run(async (em) => {
      await lockConversation(em, chat);
      locked.resolve();
      await untilLockWait(test);
      await change(em);
    });
    await locked.promise;
    const [message] = await Promise.all([ben.send(chat), holder]);
    return message;
  }

  it('marks the message read that was sent meanwhile', async () => {
    const body = { type: 'text' as const, content: 'first' };
    const send = { userId: ann.id as UserId, conversationId: chat, body };
    let sentMeanwhile: number | undefined;
    const message = await sendAfter(async (em) => {
      const [sent] = await test.app.get(MessageWriter).write(em, [send], { lookUpUsedIds: false });
      sentMeanwhile = (sent as Message).id;
    });
    expect(message.id).toBeGreaterThan(sentMeanwhile ?? Number.POSITIVE_INFINITY);
    const [read] = await ben.events('conversation.read');
    expect(read).toMatchObject({ user_id: ben.id, up_to_message_id: sentMeanwhile });
  });

  it('does not count a notice as unread that was written and passed meanwhile', async () => {
    await sendAfter(async (em) => {
      const notice = { notice: { event: 'renamed', name: 'x' } as const, content: 'x' };
      const write = () => test.app.get(NoticeWriter).write(em, chat, ann.id as UserId, notice);
      await write();
      const membership = await requireMembership(em, ben.id as UserId, chat);
      await test.app.get(ReadPositionsService).advanceLocked(em, membership, membership.max_seq);
      await write();
    });
    expect(await ben.unreadTotal()).toBe(0);
  });

  it('does not wait for members of a large group', async () => {
    const group = await ann.createGroup([ben.id]);
    await switchToLargeGroup(test, group);
    const runner = test.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      'SELECT user_id FROM conversation_members WHERE conversation_id = ? AND user_id = ? FOR UPDATE',
      [group, ann.id],
    );
    expect(await ben.send(group)).toMatchObject({ sender_id: ben.id });
    await runner.rollbackTransaction();
    await runner.release();
  });
});
