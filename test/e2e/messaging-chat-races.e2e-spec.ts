import { DataSource } from 'typeorm';
import type { ApiResponse } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { type AnyEvent, ConversationTerminal } from '../support/conversation-terminal';
import { stopJobs } from '../support/jobs';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(15);
const LIST = '/api/messages/conversations?per_page=100';

/** Two instances of the service on one database. Ann and Ben have terminals on both. */
describe('Concurrent requests on two instances', () => {
  let test: TestApp;
  let other: TestApp;
  let ann: ChatUser;
  let annOnline: ChatUser;
  let ben: ChatUser;
  let benOnline: ChatUser;
  let catOnline: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
  });
  beforeEach(async () => {
    // New users without conversations.
    const ids = newUserIds(3);
    [ann, ben] = (await ChatUser.signInAll(test.api, ids)) as [ChatUser, ChatUser];
    [annOnline, benOnline, catOnline] = (await ChatUser.signInAll(other.api, ids)) as [
      ChatUser,
      ChatUser,
      ChatUser,
    ];
    group = await ann.createGroup([ben.id, catOnline.id]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const text = { type: 'text', content: 'x' };
  const listOf = ({ api }: ChatUser): Promise<ApiResponse> => api.get(LIST);
  /** Returns a user's list after a snapshot and its events, and a new list. */
  async function lists(who: ChatUser, snapshot: ApiResponse): Promise<[unknown[], unknown[]]> {
    const after = Number(snapshot.headers['x-event-cursor']);
    const events = (await who.api.get(`/api/events/poll?after=${after}&limit=500`)).body.data
      .items as AnyEvent[];
    const terminal = new ConversationTerminal(snapshot);
    for (const event of events) terminal.apply(event);
    return [terminal.list, new ConversationTerminal(await listOf(who)).list];
  }

  it('send a reply before a recall and then quote a recalled message, or reject it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group);
      const [response] = await Promise.all([
        benOnline.trySend(group, { ...text, reply_to_id: id }),
        round % 2 === 0 ? ann.recall(id) : annOnline.recall(id),
      ]);
      if (response.body.code !== 0) expect(errorOf(response)).toEqual([404, '消息不存在']);
      else {
        expect(response.body.data.reply_to).toMatchObject({ id, is_recalled: false });
        const { reply_to } = await ben.message(response.body.data.id);
        expect(reply_to).toMatchObject({ id, is_recalled: true, display_content: '消息已撤回' });
      }
    }
  });

  it('edit a message before its recall, or return 409', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group, `before ${round}`);
      const [edit] = await Promise.all([annOnline.tryEdit(id, `after ${round}`), ann.recall(id)]);
      if (edit.body.code !== 0) expect(errorOf(edit)).toEqual([409, '已超过编辑时限']);
      expect(await ben.message(id)).toMatchObject({ content: '', is_recalled: true, edited_at: null });
    }
  });

  it('keep the last published of two edits', async () => {
    const { id } = await ann.send(group);
    for (let round = 0; round < ROUNDS; round += 1) {
      const snapshot = await listOf(benOnline);
      await Promise.all([
        ann.edit(id, `here ${round}`),
        annOnline.edit(id, `there ${round}`),
        ann.edit(id, `here again ${round}`),
        benOnline.read(group),
      ]);
      const [streamed, fresh] = await lists(benOnline, snapshot);
      expect(streamed).toEqual(fresh);
      expect(fresh[0]).toMatchObject({ last_message: (await ben.message(id)).content });
    }
  });

  it.each([false, true])(
    'leave mentions, reads and recalls as published in events (large: %s)',
    async (large) => {
      if (large) await switchToLargeGroup(test, group);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await ann.send(group, 'old', { mentions: [ben.id], mention_all: round % 3 === 0 });
        const snapshot = await listOf(benOnline);
        const responses = await Promise.all([
          annOnline.trySend(group, { ...text, mentions: [ben.id, catOnline.id] }),
          catOnline.trySend(group, { ...text, mention_all: true }),
          ben.tryRead(group, { message_id: id }),
          ann.tryRecall(id),
          benOnline.tryRead(group),
        ]);
        expect(responses.map(errorOf)).toEqual(responses.map(() => [0, '操作成功']));
        // In a large group only open streams receive it.
        if (!large) {
          const [streamed, fresh] = await lists(benOnline, snapshot);
          expect(streamed).toEqual(fresh);
        }
      }
      await Promise.all([ben.read(group), catOnline.read(group), annOnline.read(group)]);
      expect([await ben.mentionOf(group), await catOnline.mentionOf(group)]).toEqual([null, null]);
    },
  );

  it('store mentions of members only, when they leave and return', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [sent] = await Promise.all([
        catOnline.send(group, 'x', { mentions: [ben.id] }),
        ann.tryRemove(group, ben.id),
        annOnline.tryAdd(group, [ben.id]),
      ]);
      await ann.tryAdd(group, [ben.id]);
      expect((await catOnline.message(sent.id)).mentions).toEqual(sent.mentions);
      expect([null, sent.id]).toContain(await ben.mentionOf(group));
      await ben.read(group);
    }
  });

  it('create one message for one client_msg_id with all fields', async () => {
    const { id } = await ben.send(group);
    for (let round = 0; round < ROUNDS; round += 1) {
      const more = {
        client_msg_id: `round ${round}`,
        reply_to_id: id,
        mentions: [ben.id],
        mention_all: true,
      };
      const sends = [ann, annOnline, ann, annOnline].map((terminal) => terminal.send(group, 'once', more));
      const [sent, ...again] = await Promise.all(sends);
      expect(again.map((message) => message.id)).toEqual(again.map(() => sent?.id));
    }
    expect((await ben.history(group)).pagination.total).toBe(1 + ROUNDS);
  });

  it('forward the content before a recall, or reject the forward', async () => {
    const target = await ben.createGroup([catOnline.id]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group, 'said');
      const [response] = await Promise.all([
        benOnline.trySend(target, { forward_id: id, client_msg_id: `f ${round}` }),
        ann.recall(id),
      ]);
      if (response.body.code === 0)
        expect(response.body.data).toMatchObject({ content: 'said', is_forwarded: true });
      else expect(errorOf(response)).toEqual([404, '消息不存在']);
    }
  });

  it('mention, edit and read messages without a deadlock', async () => {
    // Only errors of the requests count.
    await stopJobs(test, other);
    await switchToLargeGroup(test, group);
    const small = await ann.createGroup([ben.id, catOnline.id]);
    const failures = [test, other].map(({ app }) => jest.spyOn(app.get(DataSource).logger, 'logQueryError'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = { mentions: [catOnline.id, ann.id, ben.id] };
      const { id } = await ann.send(small);
      const responses = await Promise.all([
        ann.trySend(group, { ...text, ...all }),
        benOnline.trySend(group, { ...text, ...all, mention_all: true }),
        catOnline.trySend(small, { ...text, ...all }),
        ben.trySend(small, { ...text, ...all, reply_to_id: id }),
        annOnline.tryEdit(id, `y ${round}`),
        catOnline.tryRead(group),
        ben.tryRead(group),
        benOnline.tryHistory(small),
      ]);
      expect(responses.map(({ body }) => body.code)).toEqual(responses.map(() => 0));
    }
    const errors = failures.flatMap(({ mock }) => mock.calls.map(([error]) => String(error)));
    // On SQLite, an instance retries while the other one locks the file.
    expect(errors.filter((error) => !error.includes('database is locked'))).toEqual([]);
    for (const failure of failures) failure.mockRestore();
  });
});
