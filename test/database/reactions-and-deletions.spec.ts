import { DataSource } from 'typeorm';
import { MarkMessages1763920000000 } from '../../src/database/migrations/1763920000000-MarkMessages';
import { AbandonedConversationsService } from '../../src/messaging/services/abandoned-conversations.service';
import { ChatUser } from '../support/messaging';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

const TABLES = ['message_deletions', 'message_notices', 'message_reactions', 'message_reaction_counts'];

describe('Reactions, deletions and notices', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'members' } });
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
  });
  afterAll(() => test?.close());

  const aboutMarks = (statements: string[]): string[] =>
    statements.flatMap(
      (sql) => /FROM (message_(?:deletions|reaction_counts|reactions|notices))\b/.exec(sql)?.[1] ?? [],
    );

  it('add no statement to a page without any, and one range read each otherwise', async () => {
    const group = await ann.createGroup([2]);
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await ann.send(group)).id);
    await ben.read(group);
    const page = async (query = '') =>
      (await statementsOf(test, () => ben.history(group, query))).filter((sql) =>
        /\bmessage|read_int/.test(sql),
      );
    const plain = await page();
    expect(aboutMarks(plain)).toEqual([]);
    for (const id of ids) await ann.react(id);
    const reacted = await page();
    expect(reacted).toHaveLength(plain.length + 1);
    expect(aboutMarks(reacted)).toEqual(['message_reaction_counts']);
    await ben.delete(ids[0] as number);
    expect(await page()).toHaveLength(plain.length + 2);
    // Pages newer than the deletions do not query them.
    expect(await page('?per_page=2')).toHaveLength(plain.length + 1);
  });

  it('add no statement to sending, reading and listing', async () => {
    const count = async (act: () => Promise<unknown>): Promise<number> =>
      (await statementsOf(test, act)).length;
    const costs = async (group: number) => [
      await count(() => ann.send(group)),
      await count(async () => {
        await ann.send(group);
        await ben.read(group);
      }),
      await count(() => ben.list()),
      await count(() => ben.unreadTotal()),
      await count(() => ben.history(group)),
    ];
    const plain = await costs(await ann.createGroup([2]));
    const renamed = await ann.createGroup([2]);
    await ann.api.put(`/api/messages/conversations/${renamed}`, { name: 'Trip' });
    await ann.send(renamed);
    await ben.read(renamed);
    expect(await costs(renamed)).toEqual(plain);
  });

  it('are removed with a group without members', async () => {
    const group = await ann.createGroup([2]);
    const { id } = await ann.send(group);
    for (const emoji of ['👍', '🎉', '❤']) for (const who of [ann, ben]) await who.react(id, emoji);
    await ann.api.put(`/api/messages/conversations/${group}`, { name: 'Trip' });
    await ben.delete(id);
    await ann.dissolve(group);
    await test.app.get(AbandonedConversationsService).trim();
    for (const table of TABLES)
      expect(await test.query(`SELECT * FROM ${table} WHERE conversation_id = ${group}`)).toEqual([]);
    expect(await test.query(`SELECT id FROM conversations WHERE id = ${group}`)).toEqual([]);
  });

  it('get their columns in a migration that keeps existing data and resumes after an interruption', async () => {
    const group = await ann.createGroup([2]);
    const { id } = await ann.send(group, 'before');
    const migration = new MarkMessages1763920000000();
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      await migration.down(runner);
      // Runs twice, because the first run may have been interrupted at any statement.
      await migration.up(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect(await ben.conversation(group)).toMatchObject({ last_message: 'before', unread_count: 1 });
    expect(await ben.react(id)).toEqual([{ emoji: '👍', count: 1, reacted: true }]);
    await ben.delete(id);
    await ben.clear(group);
    expect(await ben.history(group)).toMatchObject({ pagination: { total: 0 } });
  });
});
