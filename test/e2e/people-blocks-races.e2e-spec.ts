import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, dataOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { block, unblock } from '../support/people';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const ROUNDS = raceRounds(15);

/** Two instances of the service on one database, so that only the database can decide a race. */
describe('Concurrent blocks on two instances', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  it('reject every message sent after their response, in batched transactions too', async () => {
    const [annId = 0, benId = 0] = newUserIds(2);
    const ann = await ChatUser.signIn(test.api, annId);
    const ben = await ChatUser.signIn(other.api, benId);
    const chat = await ann.openSingle(benId);
    for (let round = 0; round < ROUNDS; round += 1) {
      const sending = Array.from({ length: 6 }, () => ann.trySend(chat, { type: 'text', content: 'before' }));
      expect((await block(ben.api, annId)).body.code).toBe(0);
      const after = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 ? ann : ben).trySend(chat, { type: 'text', content: 'after' }),
        ),
      );
      expect(after.map(({ body }) => body.code)).toEqual(Array(6).fill(403));
      const before = await Promise.all(sending);
      expect(before.every(({ body }) => body.code === 0 || body.code === 403)).toBe(true);
      await unblock(ben.api, annId);
      const contents = (await ann.peek(chat)).map(({ content }) => content);
      expect(contents).not.toContain('after');
    }
    const sent = (await ben.history(chat)).pagination.total;
    expect(Number(((await test.query('SELECT MAX(seq) AS n FROM messages')) as { n: number }[])[0]?.n)).toBe(
      sent,
    );
  });

  it('reject the message of one sender and accept that of another in the same transaction', async () => {
    const ids = newUserIds(5);
    const [ann, ...others] = (await ChatUser.signInAll(test.api, ids)) as [ChatUser, ...ChatUser[]];
    const chats = await Promise.all(others.map(({ id }) => ann.openSingle(id)));
    await block(ann.api, others[1]?.id ?? 0);
    const responses = await Promise.all(
      chats.map((chat) => ann.trySend(chat, { type: 'text', content: 'hello', client_msg_id: 'same' })),
    );
    expect(responses.map(({ body }) => body.code)).toEqual([0, 403, 0, 0]);
  });

  it('create one of many equal blocks, with one event', async () => {
    const [annId = 0, benId = 0] = newUserIds(2);
    const [here, there] = [await ChatUser.signIn(test.api, annId), await ChatUser.signIn(other.api, annId)];
    await ChatUser.signIn(test.api, benId);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => block((index % 2 ? here : there).api, benId)),
    );
    expect(responses.map(({ body }) => body.code)).toEqual(Array(10).fill(0));
    const { items } = dataOf(await here.api.get('/api/events/poll?limit=100'));
    expect(items).toHaveLength(1);
  });

  it('create both of two opposite blocks', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [annId = 0, benId = 0] = newUserIds(2);
      const [ann, ben] = [await ChatUser.signIn(test.api, annId), await ChatUser.signIn(other.api, benId)];
      const responses = await Promise.all([block(ann.api, benId), block(ben.api, annId)]);
      expect(responses.map(({ body }) => body.code)).toEqual([0, 0]);
    }
  });

  it('never exceed 1,000', async () => {
    const [annId = 0] = newUserIds(1);
    const [here, there] = [await ChatUser.signIn(test.api, annId), await ChatUser.signIn(other.api, annId)];
    const first = 6_000_000;
    const ids = Array.from({ length: 1_010 }, (_, index) => first + index);
    for (let start = 0; start < ids.length; start += 500)
      await insertUsers(test.app.get(DataSource), ids.slice(start, start + 500));
    const rows = ids.slice(0, 997).map((id) => `(${annId}, ${id}, '2026-01-31 08:00:00.000')`);
    await test.query(`INSERT INTO user_blocks (user_id, blocked_id, blocked_at) VALUES ${rows.join(', ')}`);
    const responses = await Promise.all(
      ids.slice(1_000).map((id, index) => block((index % 2 ? here : there).api, id)),
    );
    expect(responses.filter(({ body }) => body.code === 0)).toHaveLength(3);
    expect(responses.filter(({ body }) => body.code === 422)).toHaveLength(7);
    const blocks = await test.query(`SELECT blocked_id FROM user_blocks WHERE user_id = ${annId}`);
    expect(blocks).toHaveLength(1_000);
  });

  it('reject a new single chat completely, or come after it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [annId = 0, benId = 0] = newUserIds(2);
      const [ann, ben] = [await ChatUser.signIn(test.api, annId), await ChatUser.signIn(other.api, benId)];
      const body = { type: 'single', peer_id: benId };
      const [opened] = await Promise.all([
        ann.api.post('/api/messages/conversations', body),
        block(ben.api, annId),
      ]);
      expect((await ben.listedIds()).length).toBe(opened.body.code === 0 ? 1 : 0);
      expect([0, 403]).toContain(opened.body.code);
    }
  });
});
