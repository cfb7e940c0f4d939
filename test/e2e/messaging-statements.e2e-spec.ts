import { Chatter, makeLarge } from '../support/messaging';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

/** Optional features of messages cost no statement where they are not used. docs/performance.md has the same numbers plus COMMIT. */
describe('Statements', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let chat: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = await Chatter.annBenAndCat(test.api);
    chat = await ann.openSingle(2);
    await ann.send(chat);
    await ben.history(chat);
    await ann.history(chat);
  });
  afterAll(() => test?.close());

  const countOf = async (work: () => Promise<unknown>): Promise<number> =>
    (await statementsOf(test, work)).length;

  it('of a send are nine, and one more where its sender was behind', async () => {
    expect(await countOf(() => ann.send(chat))).toBe(9);
    expect(await countOf(() => ben.send(chat))).toBe(10);
  });

  it('of a reading are seven, of the list one, of a page of the history three', async () => {
    await ann.send(chat);
    expect(await countOf(() => ben.read(chat))).toBe(7);
    expect(await countOf(() => ann.list())).toBe(1);
    expect(await countOf(() => ann.history(chat, '?mark_read=0'))).toBe(3);
  });

  it('of a send to a large group are one less than to a small one', async () => {
    const group = await ann.createGroup([2, 3]);
    await ann.send(group);
    expect(await countOf(() => ann.send(group))).toBe(9);
    await makeLarge(test, group);
    expect(await countOf(() => ann.send(group))).toBe(8);
  });

  it('lock the counts of users last, after the events and everything else', async () => {
    let group = 0;
    const acts: Record<string, () => Promise<unknown>> = {
      creation: async () => (group = await ann.createGroup([2, 3])),
      send: () => ann.send(group),
      reading: () => ben.read(group),
      hiding: () => ben.settings(group, { hidden: true }),
      // The notice of it shows the group to ben again.
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
