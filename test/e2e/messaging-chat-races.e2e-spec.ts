import { DataSource } from 'typeorm';
import type { Answer } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { type AnyEvent, ConversationTerminal } from '../support/conversation-terminal';
import { Chatter, makeLarge, verdictOf } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(15);
const LIST = '/api/messages/conversations?per_page=100';

/** Two instances of the service on one database. Ann and Ben are on both, with terminals here and there. */
describe('Raced on two instances', () => {
  let test: TestApp;
  let other: TestApp;
  let ann: Chatter;
  let annThere: Chatter;
  let ben: Chatter;
  let benThere: Chatter;
  let catThere: Chatter;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
  });
  beforeEach(async () => {
    // They have had nothing to do with anybody.
    const ids = newUserIds(3);
    [ann, ben] = (await Chatter.meetAll(test.api, ids)) as [Chatter, Chatter];
    [annThere, benThere, catThere] = (await Chatter.meetAll(other.api, ids)) as [Chatter, Chatter, Chatter];
    group = await ann.createGroup([ben.id, catThere.id]);
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const text = { type: 'text', content: 'x' };
  const listOf = ({ api }: Chatter): Promise<Answer> => api.get(LIST);
  /** The list of who took this snapshot, brought up to date by events alone; and a fresh one. */
  async function lists(who: Chatter, snapshot: Answer): Promise<[unknown[], unknown[]]> {
    const after = Number(snapshot.headers['x-event-cursor']);
    const events = (await who.api.get(`/api/events/poll?after=${after}&limit=500`)).body.data
      .items as AnyEvent[];
    const terminal = new ConversationTerminal(snapshot);
    for (const event of events) terminal.apply(event);
    return [terminal.list, new ConversationTerminal(await listOf(who)).list];
  }

  it('replies and recalls: a reply comes before, and then quotes a recalled message, or is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group);
      const [answer] = await Promise.all([
        benThere.trySend(group, { ...text, reply_to_id: id }),
        round % 2 === 0 ? ann.recall(id) : annThere.recall(id),
      ]);
      if (answer.body.code !== 0) expect(verdictOf(answer)).toEqual([404, '消息不存在']);
      else {
        expect(answer.body.data.reply_to).toMatchObject({ id, is_recalled: false });
        const { reply_to } = await ben.message(answer.body.data.id);
        expect(reply_to).toMatchObject({ id, is_recalled: true, display_content: '消息已撤回' });
      }
    }
  });

  it('edits and recalls: an edit comes before, or is too late', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group, `before ${round}`);
      const [edit] = await Promise.all([annThere.tryEdit(id, `after ${round}`), ann.recall(id)]);
      if (edit.body.code !== 0) expect(verdictOf(edit)).toEqual([409, '已超过编辑时限']);
      expect(await ben.message(id)).toMatchObject({ content: '', is_recalled: true, edited_at: null });
    }
  });

  it('edits of two terminals: the last one that is told stays', async () => {
    const { id } = await ann.send(group);
    for (let round = 0; round < ROUNDS; round += 1) {
      const snapshot = await listOf(benThere);
      await Promise.all([
        ann.edit(id, `here ${round}`),
        annThere.edit(id, `there ${round}`),
        ann.edit(id, `here again ${round}`),
        benThere.read(group),
      ]);
      const [told, fresh] = await lists(benThere, snapshot);
      expect(told).toEqual(fresh);
      expect(fresh[0]).toMatchObject({ last_message: (await ben.message(id)).content });
    }
  });

  it.each([false, true])(
    'mentions, readings and recalls leave what events say (large: %s)',
    async (large) => {
      if (large) await makeLarge(test, group);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await ann.send(group, 'old', { mentions: [ben.id], mention_all: round % 3 === 0 });
        const snapshot = await listOf(benThere);
        const answers = await Promise.all([
          annThere.trySend(group, { ...text, mentions: [ben.id, catThere.id] }),
          catThere.trySend(group, { ...text, mention_all: true }),
          ben.tryRead(group, { message_id: id }),
          ann.tryRecall(id),
          benThere.tryRead(group),
        ]);
        expect(answers.map(verdictOf)).toEqual(answers.map(() => [0, '操作成功']));
        // In a large group only those hear of it who listen.
        if (!large) {
          const [told, fresh] = await lists(benThere, snapshot);
          expect(told).toEqual(fresh);
        }
      }
      await Promise.all([ben.read(group), catThere.read(group), annThere.read(group)]);
      expect([await ben.mentionOf(group), await catThere.mentionOf(group)]).toEqual([null, null]);
    },
  );

  it('mentions of who leaves and comes back are of members, and of nobody else', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [sent] = await Promise.all([
        catThere.send(group, 'x', { mentions: [ben.id] }),
        ann.tryRemove(group, ben.id),
        annThere.tryAdd(group, [ben.id]),
      ]);
      await ann.tryAdd(group, [ben.id]);
      expect((await catThere.message(sent.id)).mentions).toEqual(sent.mentions);
      expect([null, sent.id]).toContain(await ben.mentionOf(group));
      await ben.read(group);
    }
  });

  it('sends of one client_msg_id, with all that a message can have, make one', async () => {
    const { id } = await ben.send(group);
    for (let round = 0; round < ROUNDS; round += 1) {
      const more = {
        client_msg_id: `round ${round}`,
        reply_to_id: id,
        mentions: [ben.id],
        mention_all: true,
      };
      const sends = [ann, annThere, ann, annThere].map((terminal) => terminal.send(group, 'once', more));
      const [sent, ...again] = await Promise.all(sends);
      expect(again.map((message) => message.id)).toEqual(again.map(() => sent?.id));
    }
    expect((await ben.history(group)).pagination.total).toBe(1 + ROUNDS);
  });

  it('a forward of what is recalled says it still, or is refused', async () => {
    const target = await ben.createGroup([catThere.id]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group, 'said');
      const [answer] = await Promise.all([
        benThere.trySend(target, { forward_id: id, client_msg_id: `f ${round}` }),
        ann.recall(id),
      ]);
      if (answer.body.code === 0)
        expect(answer.body.data).toMatchObject({ content: 'said', is_forwarded: true });
      else expect(verdictOf(answer)).toEqual([404, '消息不存在']);
    }
  });

  it('people who mention each other, edit and read succeed, without one deadlock', async () => {
    await makeLarge(test, group);
    const small = await ann.createGroup([ben.id, catThere.id]);
    const failures = [test, other].map(({ app }) => jest.spyOn(app.get(DataSource).logger, 'logQueryError'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = { mentions: [catThere.id, ann.id, ben.id] };
      const { id } = await ann.send(small);
      const answers = await Promise.all([
        ann.trySend(group, { ...text, ...all }),
        benThere.trySend(group, { ...text, ...all, mention_all: true }),
        catThere.trySend(small, { ...text, ...all }),
        ben.trySend(small, { ...text, ...all, reply_to_id: id }),
        annThere.tryEdit(id, `y ${round}`),
        catThere.tryRead(group),
        ben.tryRead(group),
        benThere.tryHistory(small),
      ]);
      expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 0));
    }
    const errors = failures.flatMap(({ mock }) => mock.calls.map(([error]) => String(error)));
    // On SQLite, the file is locked for one instance while the other writes; it tries again.
    expect(errors.filter((error) => !error.includes('database is locked'))).toEqual([]);
    for (const failure of failures) failure.mockRestore();
  });
});
