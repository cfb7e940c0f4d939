import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

/** Optional features of messages cost no statement where they are not used. docs/performance.md has the same numbers plus COMMIT. */
describe('The number of statements', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let chat: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
    chat = await ann.openSingle(2);
    await ann.send(chat);
    await ben.history(chat);
    await ann.history(chat);
  });
  afterAll(() => test?.close());

  const countOf = async (work: () => Promise<unknown>): Promise<number> =>
    (await statementsOf(test, work)).length;

  it('is eight for a send, and one more with unread messages of the sender', async () => {
    expect(await countOf(() => ann.send(chat))).toBe(8);
    expect(await countOf(() => ben.send(chat))).toBe(9);
  });

  it('is seven for a read, one for the list, two for a page of the history', async () => {
    await ann.send(chat);
    expect(await countOf(() => ben.read(chat))).toBe(7);
    expect(await countOf(() => ann.list())).toBe(1);
    expect(await countOf(() => ann.history(chat, '?mark_read=0'))).toBe(2);
  });

  it('is one lower for a send to a large group', async () => {
    const group = await ann.createGroup([2, 3]);
    await ann.send(group);
    expect(await countOf(() => ann.send(group))).toBe(8);
    await switchToLargeGroup(test, group);
    expect(await countOf(() => ann.send(group))).toBe(7);
  });

  it('includes the lock of users’ counts last, after the events', async () => {
    let group = 0;
    const acts: Record<string, () => Promise<unknown>> = {
      creation: async () => (group = await ann.createGroup([2, 3])),
      send: () => ann.send(group),
      reading: () => ben.read(group),
      hiding: () => ben.settings(group, { hidden: true }),
      // Its notice restores the hidden group in Ben's list.
      removal: () => ann.remove(group, 3),
      addition: () => ann.add(group, 3),
      dissolution: () => ann.dissolve(group),
    };
    for (const [name, act] of Object.entries(acts)) {
      const statements = await statementsOf(test, act);
      const isWrite = (sql: string): boolean => /^(INSERT|UPDATE|DELETE)/.test(sql);
      const tables = statements.filter(isWrite).map((sql) => /(?:INTO|UPDATE|FROM) (\S+)/.exec(sql)?.[1]);
      expect([name, tables.filter((table) => table === 'conversation_counts').length]).toEqual([name, 1]);
      expect([name, tables.at(-1)]).toEqual([name, 'conversation_counts']);
    }
  });
});
