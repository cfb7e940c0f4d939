import { AbandonedConversationsService } from '../../src/messaging/services/abandoned-conversations.service';
import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

/** Returns the number of rows of a conversation in each table. */
async function rowsOf(test: TestApp, id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const tables = [
    'messages',
    'message_ids',
    'message_recalls',
    'message_mentions',
    'read_intervals',
    'first_reads',
  ];
  for (const table of [...tables, 'first_read_gaps', 'conversation_members', 'abandoned_conversations']) {
    const [row] = (await test.query(`SELECT COUNT(*) AS n FROM ${table} WHERE conversation_id = ${id}`)) as {
      n: number | string;
    }[];
    counts[table] = Number(row?.n);
  }
  const [row] = (await test.query(`SELECT COUNT(*) AS n FROM conversations WHERE id = ${id}`)) as {
    n: number | string;
  }[];
  return { ...counts, conversations: Number(row?.n) };
}

const NOTHING = {
  messages: 0,
  message_ids: 0,
  message_recalls: 0,
  message_mentions: 0,
  read_intervals: 0,
  first_reads: 0,
  first_read_gaps: 0,
  conversation_members: 0,
  abandoned_conversations: 0,
  conversations: 0,
};

describe('A group without members', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  const trim = () => test.app.get(AbandonedConversationsService, { strict: false }).trim();

  beforeEach(async () => {
    test = await createTestApp();
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, [1, 2, 3])) as [ChatUser, ChatUser, ChatUser];
  });
  afterEach(() => test?.close());

  /**
   * Creates a group of three with 600 messages, one of them recalled and one that mentions all members, read by all of
   * them at different times.
   */
  async function busyGroup(): Promise<number> {
    const group = await ann.createGroup([2, 3]);
    await Promise.all(Array.from({ length: 600 }, () => ann.send(group)));
    await ben.history(group);
    await ann.send(group, 'you', { mentions: [2, 3], mention_all: true });
    const last = await ann.send(group);
    await ann.recall(last.id);
    await cat.history(group);
    return group;
  }

  it('is deleted although its stored number of members was wrong', async () => {
    const group = await ann.createGroup([2, 3]);
    await test.query(`UPDATE conversations SET member_count = 7 WHERE id = ${group}`);
    await ann.dissolve(group);
    await trim();
    expect(await rowsOf(test, group)).toEqual(NOTHING);
  });

  it('is deleted with all its rows, and no others', async () => {
    const group = await busyGroup();
    const other = await ben.createGroup([3]);
    await ben.send(other);
    await cat.history(other);
    const kept = await rowsOf(test, other);
    await ann.remove(group, ann.id);
    await ben.remove(group, ben.id);
    await trim();
    expect(await rowsOf(test, group)).toMatchObject({ messages: 602, conversations: 1 });

    await cat.remove(group, cat.id);
    expect(await rowsOf(test, group)).toMatchObject({ messages: 602, abandoned_conversations: 1 });
    await trim();
    expect(await rowsOf(test, group)).toEqual(NOTHING);
    expect(await rowsOf(test, other)).toEqual(kept);
    expect(kept).toMatchObject({ messages: 1, message_ids: 1, conversation_members: 2, conversations: 1 });
  });

  it('leaves no text in the events that are sent afterwards', async () => {
    const group = await ann.createGroup([2]);
    const { id } = await ann.send(group, 'secret');
    await ann.edit(id, 'edited secret');
    await ann.recall(id);
    await ann.send(group, 'another secret');
    await ann.dissolve(group);
    await trim();
    const events = await ben.events('message.created', 'message.edited', 'message.recalled');
    expect(events.map(({ type }) => type)).toEqual([
      'message.created',
      'message.edited',
      'message.recalled',
      'message.created',
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('returns the same response as an unknown one', async () => {
    const group = await ann.createGroup([]);
    const { id } = await ann.send(group);
    await ann.remove(group, 1);
    await trim();
    const responses = [
      await ann.api.get(`/api/messages/conversations/${group}`),
      await ann.api.post(`/api/messages/conversations/${group}/messages`, { type: 'text', content: 'a' }),
      await ann.api.post(`/api/messages/${id}/recall`),
    ];
    expect(responses.map(({ body }) => body.code)).toEqual([403, 403, 404]);
  });

  it('is deleted once by concurrent instances', async () => {
    const group = await busyGroup();
    for (const who of [ann, ben, cat]) await who.remove(group, who.id);
    const other = await createTestApp({ database: test.database });
    await Promise.all([trim(), other.app.get(AbandonedConversationsService, { strict: false }).trim()]);
    expect(await rowsOf(test, group)).toEqual(NOTHING);
    await other.close();
  });
});
