import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, switchToLargeGroup } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Notices and counts', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'members' } });
  });
  beforeEach(async () => {
    [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    group = await ann.createGroup([ben.id]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const rename = (who: ChatUser, body: object) => who.api.put(`/api/messages/conversations/${group}`, body);
  const noticesOf = async (who: ChatUser): Promise<Message[]> =>
    (await who.peek(group)).filter(({ kind }) => kind === 'notice').toReversed();

  it.each([false, true])('keep read positions, receipts and counts unchanged (large: %s)', async (large) => {
    if (large) await switchToLargeGroup(test, group);
    const first = await ann.send(group, 'first');
    await ben.read(group);
    await rename(ann, { name: 'Trip' });
    expect(await ann.events('conversation.read')).toEqual([]);
    const second = await ann.send(group, 'second');
    await rename(ann, { avatar: 'https://example.com/a.png' });
    expect([await ben.unreadOf(group), await ben.unreadTotal(), await ann.unreadTotal()]).toEqual([1, 1, 0]);
    expect(await ben.conversation(group)).toMatchObject({ last_read_message_id: first.id });
    expect(await ann.conversation(group)).toMatchObject({ last_read_message_id: second.id });
    const counts = async () =>
      (await ann.peek(group)).map(({ kind, read_count, unread_count, is_read }) => [
        kind,
        read_count,
        unread_count,
        is_read,
      ]);
    const notice = ['notice', 0, 0, true];
    const read = ['message', 1, 0, true];
    expect(await counts()).toEqual([notice, ['message', 0, 1, false], notice, read]);
    expect(await ben.read(group, second.id)).toBe(0);
    expect(await counts()).toEqual([notice, read, notice, read]);
    expect(await ann.readers(second.id)).toMatchObject({ items: [{ user_id: ben.id }] });
    expect(await ben.unreadTotal()).toBe(0);
    await ann.send(group, 'third');
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([1, 1]);
    // Reads up to a notice, then past several, and finally by sending a message.
    const [newest] = await noticesOf(ben);
    await ben.read(group, newest?.id);
    expect(await ben.unreadOf(group)).toBe(1);
    await rename(ann, { name: 'Tour' });
    await ben.send(group, 'answer');
    expect([await ben.unreadTotal(), await ann.unreadOf(group)]).toEqual([0, 1]);
    await rename(ann, { name: 'Trip' });
    expect(await ann.unreadOf(group)).toBe(1);
  });

  it('count correctly with mutes and recalls around them', async () => {
    const { id } = await ann.send(group);
    await rename(ann, { name: 'Trip' });
    await ann.send(group);
    await ben.settings(group, { muted: true });
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([2, 0]);
    await rename(ann, { name: 'Tour' });
    await ben.settings(group, { muted: false });
    expect(await ben.unreadTotal()).toBe(2);
    await ann.recall(id);
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([1, 1]);
    await ben.read(group, id);
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([1, 1]);
  });

  it('have the same cost after 10,000 of them', async () => {
    await ann.send(group);
    const { manager } = test.app.get(DataSource);
    const more = Array.from({ length: 10_000 }, (_, index) => index + 2);
    for (let start = 0; start < more.length; start += 1000) {
      const some = more.slice(start, start + 1000);
      const at = '2026-01-31 08:00:00.000';
      await manager.query(
        `INSERT INTO message_ids (conversation_id, seq) VALUES ${some.map((seq) => `(${group}, ${seq})`).join()}`,
      );
      await manager.query(`INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at, notice)
        SELECT conversation_id, seq, id, ${ann.id}, 'text', 'x', '${at}', '{"event":"avatar_changed"}' FROM message_ids
        WHERE conversation_id = ${group} AND seq BETWEEN ${some[0]} AND ${some.at(-1)}`);
      await manager.query(
        `INSERT INTO message_notices (conversation_id, seq, n) VALUES
         ${some.map((seq) => `(${group}, ${seq}, ${seq - 1})`).join()}`,
      );
    }
    await manager.query(
      `UPDATE conversations SET max_seq = 10001, notice_count = 10000, last_notice_seq = 10001 WHERE id = ${group}`,
    );
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([1, 1]);
    await ann.send(group);
    expect([await ben.unreadOf(group), await ben.read(group), await ben.unreadTotal()]).toEqual([2, 0, 0]);
    const isSqlite = manager.dataSource.options.type === 'better-sqlite3';
    const plan = JSON.stringify(
      await manager.query(`EXPLAIN ${isSqlite ? 'QUERY PLAN ' : ''}SELECT n FROM message_notices
        WHERE conversation_id = ${group} AND seq <= 5000 ORDER BY seq DESC LIMIT 1`),
    );
    // Reads one end of a range of the key, without sorting.
    expect(plan).toMatch(/PRIMARY/);
    expect(plan).not.toMatch(/TEMP B-TREE|filesort/i);
  });
});
