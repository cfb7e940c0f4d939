import type { ApiResponse, ApiClient } from '../support/api-client';
import { createUsers, newUserIds } from '../support/calls';
import { postWithKey } from '../support/idempotency';
import { clientWithKey } from '../support/keys';
import { dataOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const CONCURRENCY = 50;
const REUSED = { code: 409, message: '请求标识已被使用', data: null };
const DEVICES = '/api/admin/devices';
const CONVERSATIONS = '/api/messages/conversations';
const TEXT = { type: 'text', content: 'your parcel is here' };

describe('An Idempotency-Key of an API key, on two instances', () => {
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

  const idIn = (response: ApiResponse): number => dataOf(response).id as number;
  const as = (client: ApiClient, id: number): ApiClient => client.with({ 'x-on-behalf-of': String(id) });
  /** Sends the same request many times concurrently, on both instances. */
  const manyTimes = (clients: [ApiClient, ApiClient], key: string, path: string, body: object) =>
    Promise.all(
      Array.from({ length: CONCURRENCY }, (_, index) =>
        postWithKey(clients[index % 2] as ApiClient, key, path, body),
      ),
    );

  it('belongs to the API key: an on-behalf-of header is ignored by routes that do not accept it', async () => {
    const created = idIn(await postWithKey(here, 'd-1', DEVICES, { name: 'Bell' }));
    expect(idIn(await postWithKey(there, 'd-1', DEVICES, { name: 'Bell' }))).toBe(created);
    expect(idIn(await postWithKey(as(there, 900_001), 'd-1', DEVICES, { name: 'Bell' }))).toBe(created);
    const another = await clientWithKey(one.api, ['device-groups:write']);
    expect(idIn(await postWithKey(another, 'd-1', DEVICES, { name: 'Bell' }))).not.toBe(created);
    expect((await postWithKey(another, 'd-1', DEVICES, { name: 'Door' })).body).toEqual(REUSED);
  });

  it('belongs to the user on whose behalf a request is sent, together with those of the user’s clients', async () => {
    const [annId = 0, bobId = 0] = newUserIds(2);
    const [ann = here] = await createUsers(one.api, annId, bobId);
    const crew = { type: 'group', name: 'Crew' };
    const created = idIn(await postWithKey(ann, 'c-1', CONVERSATIONS, crew));
    expect(idIn(await postWithKey(as(there, annId), 'c-1', CONVERSATIONS, crew))).toBe(created);
    expect((await postWithKey(as(here, annId), 'c-1', CONVERSATIONS, { ...crew, name: 'X' })).body).toEqual(
      REUSED,
    );
    expect(idIn(await postWithKey(as(here, bobId), 'c-1', CONVERSATIONS, crew))).not.toBe(created);
    // The client_msg_id that the key replaces is separate per user as well.
    const messages = `${CONVERSATIONS}/${created}/messages`;
    const sent = idIn(await postWithKey(as(here, annId), 'm-1', messages, TEXT));
    expect(idIn(await ann.post(messages, { ...TEXT, client_msg_id: 'm-1' }))).toBe(sent);
    expect((await postWithKey(ann, 'm-1', messages, { ...TEXT, content: 'other' })).body).toEqual(REUSED);
    const both = await postWithKey(as(here, annId), 'm-2', messages, { ...TEXT, client_msg_id: 'm-1' });
    expect(both.body).toEqual({ code: 422, message: 'client_msg_id 取值无效', data: null });
  });

  it('creates one message and one conversation for concurrent requests on behalf of a user', async () => {
    const [annId = 0, bobId = 0] = newUserIds(2);
    await createUsers(one.api, annId, bobId);
    const clients: [ApiClient, ApiClient] = [as(here, annId), as(there, annId)];
    const chats = await manyTimes(clients, 'once', CONVERSATIONS, { type: 'single', peer_id: bobId });
    expect(new Set(chats.map(idIn)).size).toBe(1);
    const messages = `${CONVERSATIONS}/${idIn(chats[0] as ApiResponse)}/messages`;
    const sent = await manyTimes(clients, 'once', messages, TEXT);
    expect(new Set(sent.map(idIn)).size).toBe(1);
  });

  it('creates one object when a new user’s first requests are equal', async () => {
    const [newUser = 0] = newUserIds(1);
    const authorization = `Bearer ${await signToken({ sub: String(newUser) })}`;
    const clients: [ApiClient, ApiClient] = [
      one.api.with({ authorization }),
      two.api.with({ authorization }),
    ];
    const groups = await manyTimes(clients, 'first', CONVERSATIONS, { type: 'group', name: 'First' });
    expect(new Set(groups.map(idIn)).size).toBe(1);
  });
});
