import * as fc from 'fast-check';
import { foldCharacters } from '../../src/messaging/search/folded-text.rules';
import { SearchIndexService } from '../../src/messaging/search/search-index.service';
import { ChatUser, dataOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { propertyRuns } from '../support/property-runs';

/* Searches while messages are sent, edited, recalled and deleted, and filters are built and lost. `includes` is the oracle. */

const WORDS = ['ab', 'Straße', '下午三点', 'İzmir', '👍👍', 'Cafe\u0301', 'ΣΟΦΟΣ', 'x'];
/** Messages per action, so that a few actions fill filters. */
const BATCH = 70;

type Action =
  | { kind: 'send'; words: number[] }
  | { kind: 'edit' | 'recall' | 'delete'; index: number; word: number }
  | { kind: 'build' | 'lose' };

const index = fc.nat({ max: 1_000 });
const word = fc.nat({ max: WORDS.length - 1 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      words: fc.array(word, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'recall' as const, 'delete' as const),
      index,
      word,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('build' as const, 'lose' as const) }) },
);

describe('The search after random actions', () => {
  let test: TestApp;
  let [ann, ben] = [] as unknown as ChatUser[] as [ChatUser, ChatUser];
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
  });
  afterAll(() => test?.close());

  async function found(user: ChatUser, conversation: number, keyword: string): Promise<number[]> {
    const ids: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = new URLSearchParams({ keyword, conversation_id: String(conversation), limit: '50' });
      if (cursor !== undefined) query.set('cursor', cursor);
      const page = dataOf(await user.api.get(`/api/messages/search?${query.toString()}`));
      ids.push(...page.items.map(({ message }: { message: { id: number } }) => message.id));
      cursor = page.next_cursor;
    }
    return ids;
  }

  it('finds exactly the visible messages that include the keyword, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 10 }), async (actions) => {
        const group = await ann.createGroup([ben.id]);
        const messages: { id: number; content: string; isRecalled: boolean; isDeleted: boolean }[] = [];
        for (const act of actions) {
          const message = 'index' in act ? messages[act.index % Math.max(1, messages.length)] : undefined;
          const content = 'word' in act ? (WORDS[act.word] ?? '') : '';
          if (act.kind === 'send') {
            const texts = Array.from(
              { length: BATCH },
              (_, at) => `${at} ${act.words.map((one) => WORDS[one]).join('-')}`,
            );
            for (const text of texts)
              messages.push({
                ...(await ann.send(group, text)),
                content: text,
                isRecalled: false,
                isDeleted: false,
              });
          } else if (act.kind === 'build') await test.app.get(SearchIndexService).build();
          else if (act.kind === 'lose') await test.query('DELETE FROM message_filters');
          else if (message === undefined) continue;
          else if (act.kind === 'edit' && !message.isRecalled) {
            dataOf(await ann.api.put(`/api/messages/${message.id}`, { content }));
            message.content = content;
          } else if (act.kind === 'recall') {
            dataOf(await ann.api.post(`/api/messages/${message.id}/recall`));
            message.isRecalled = true;
          } else if (act.kind === 'delete' && !message.isRecalled) {
            dataOf(await ben.api.delete(`/api/messages/${message.id}`));
            message.isDeleted = true;
          }
        }
        for (const keyword of ['AB', 'ss', '三点', 'i', '👍', 'café', 'σοφος', 'e\u0301', '9 x']) {
          const matching = messages
            .filter(
              ({ content, isRecalled }) =>
                !isRecalled && foldCharacters(content).includes(foldCharacters(keyword)),
            )
            .toReversed();
          expect([keyword, await found(ann, group, keyword)]).toEqual([
            keyword,
            matching.map(({ id }) => id),
          ]);
          const visible = matching.filter(({ isDeleted }) => !isDeleted);
          expect([keyword, await found(ben, group, keyword)]).toEqual([keyword, visible.map(({ id }) => id)]);
        }
      }),
      propertyRuns(3),
    );
  });
});
