import type { Answer, ApiClient } from '../support/api-client';
import { meet, newUserIds } from '../support/calls';
import { postOnce } from '../support/creations';
import { clientWithKey } from '../support/keys';
import { dataOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const AT_ONCE = 50;
const REUSED = { code: 409, message: '请求标识已被使用', data: null };
const DEVICES = '/api/admin/devices';
const CONVERSATIONS = '/api/messages/conversations';
const TEXT = { type: 'text', content: 'your parcel is here' };

describe('An Idempotency-Key of a back end, on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let here: ApiClient;
  let there: ApiClient;
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    here = await clientWithKey(one.api, ['messages:send-as', 'device-groups:write']);
    there = two.api.with(here.headers);
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const idIn = (answer: Answer): number => dataOf(answer).id as number;
  const as = (client: ApiClient, id: number): ApiClient => client.with({ 'x-on-behalf-of': String(id) });
  /** The same many times at once, on both instances. */
  const manyTimes = (clients: [ApiClient, ApiClient], key: string, path: string, body: object) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        postOnce(clients[index % 2] as ApiClient, key, path, body),
      ),
    );

  it('is that of its API key: whom the header names is nothing to what takes no header', async () => {
    const made = idIn(await postOnce(here, 'd-1', DEVICES, { name: 'Bell' }));
    expect(idIn(await postOnce(there, 'd-1', DEVICES, { name: 'Bell' }))).toBe(made);
    expect(idIn(await postOnce(as(there, 900_001), 'd-1', DEVICES, { name: 'Bell' }))).toBe(made);
    const another = await clientWithKey(one.api, ['device-groups:write']);
    expect(idIn(await postOnce(another, 'd-1', DEVICES, { name: 'Bell' }))).not.toBe(made);
    expect((await postOnce(another, 'd-1', DEVICES, { name: 'Door' })).body).toEqual(REUSED);
  });

  it('is, on behalf of a user, the user’s: one with those of the user’s own apps', async () => {
    const [annId = 0, bobId = 0] = newUserIds(2);
    const [ann = here] = await meet(one.api, annId, bobId);
    const crew = { type: 'group', name: 'Crew' };
    const made = idIn(await postOnce(ann, 'c-1', CONVERSATIONS, crew));
    expect(idIn(await postOnce(as(there, annId), 'c-1', CONVERSATIONS, crew))).toBe(made);
    expect((await postOnce(as(here, annId), 'c-1', CONVERSATIONS, { ...crew, name: 'X' })).body).toEqual(
      REUSED,
    );
    expect(idIn(await postOnce(as(here, bobId), 'c-1', CONVERSATIONS, crew))).not.toBe(made);
    // So is the client_msg_id that it stands for.
    const messages = `${CONVERSATIONS}/${made}/messages`;
    const sent = idIn(await postOnce(as(here, annId), 'm-1', messages, TEXT));
    expect(idIn(await ann.post(messages, { ...TEXT, client_msg_id: 'm-1' }))).toBe(sent);
    expect((await postOnce(ann, 'm-1', messages, { ...TEXT, content: 'other' })).body).toEqual(REUSED);
    const both = await postOnce(as(here, annId), 'm-2', messages, { ...TEXT, client_msg_id: 'm-1' });
    expect(both.body).toEqual({ code: 422, message: 'client_msg_id 取值无效', data: null });
  });

  it('makes one message and one conversation, however many ask at once on behalf of a user', async () => {
    const [annId = 0, bobId = 0] = newUserIds(2);
    await meet(one.api, annId, bobId);
    const clients: [ApiClient, ApiClient] = [as(here, annId), as(there, annId)];
    const chats = await manyTimes(clients, 'once', CONVERSATIONS, { type: 'single', peer_id: bobId });
    expect(new Set(chats.map(idIn)).size).toBe(1);
    const messages = `${CONVERSATIONS}/${idIn(chats[0] as Answer)}/messages`;
    const sent = await manyTimes(clients, 'once', messages, TEXT);
    expect(new Set(sent.map(idIn)).size).toBe(1);
  });

  it('makes one thing where a user’s first requests of all are the same', async () => {
    const [newcomer = 0] = newUserIds(1);
    const authorization = `Bearer ${await signToken({ sub: String(newcomer) })}`;
    const clients: [ApiClient, ApiClient] = [
      one.api.with({ authorization }),
      two.api.with({ authorization }),
    ];
    const groups = await manyTimes(clients, 'first', CONVERSATIONS, { type: 'group', name: 'First' });
    expect(new Set(groups.map(idIn)).size).toBe(1);
  });
});
